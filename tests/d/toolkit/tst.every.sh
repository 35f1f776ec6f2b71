# Every script: a plain user gets one clear line; Ctrl-C ends it in order, with what it has to print and without a complaint.
# @@needs setpriv
# @@timeout 300
. "$(dirname "$0")/lib.bash"
for f in "$toolkit"/*/*.d; do
    # With a target, so that scripts that need one go as far as the others.
    setpriv --reuid=65534 --regid=65534 --clear-groups "$DTRACE" -s "$f" -c true >"$dir/.out" 2>"$dir/.err" </dev/null
    status=$? out=$(cat "$dir/.out") err=$(cat "$dir/.err") what=$f
    ended 1
    says 'dtrace: DTrace requires additional privileges'
    one_line
done
# What a script traces that asks for functions.
arguments() {
    case $1 in
    funccount) echo 'libc *nanosleep' ;;
    funclat | retvals | whocalls) echo '*nanosleep' ;;
    esac
}
# Those that look at Python need one; their tests have stand-ins.
scripts=$(grep -L 'python\$target' "$toolkit"/*/*.d)
# interrupted SCRIPT: runs it until it traces, and then a little; leaves its output and status in files.
interrupted() {
    local name pid target
    name=$(basename "$1" .d)
    "$load" sleep 1 100000 &
    target=$!
    set -f
    # shellcheck disable=SC2046
    env --default-signal=INT "$DTRACE" -s "$1" -p $target $(arguments "$name") >"$dir/$name.out" 2>"$dir/$name.err" </dev/null &
    pid=$!
    set +f
    for _ in $(seq 500); do
        [ "$(programs_of $pid)" = 0 ] || break
        kill -0 $pid 2>/dev/null || break
        sleep 0.02
    done
    sleep 0.2
    kill -INT $pid
    wait $pid
    echo $? >"$dir/$name.status"
    kill $target
}
n=0
for f in $scripts; do
    interrupted "$f" 2>/dev/null &
    [ $((++n % 6)) != 0 ] || wait
done
wait
for f in $scripts; do
    name=$(basename "$f" .d)
    status=$(cat "$dir/$name.status") out=$(cat "$dir/$name.out") err=$(cat "$dir/$name.err") what=$f
    ended 0
    [ -z "$err" ] || fail "complains"
    [ -n "$out" ] || fail "prints nothing"
done
