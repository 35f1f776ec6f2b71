# The program knows its commands by its own name and by its first argument; each has help, says what it does not understand,
# and does not trace for everybody.
# @@timeout 90
. "$(dirname "$0")/lib.bash"
run
ended 2
says 'Usage: dtrace-tools command'
run nonsuch
ended 2
says 'dtrace-tools: no such command: nonsuch'
run -h
ended 0
said ''
prints 'Usage: dtrace-tools command'
run
commands=$(printf '%s\n' "$err" | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[ "$(printf '%s\n' $commands | wc -l)" -ge 1 ] || fail "no commands"
cp "$TOOLS" "$dir/tools" && chmod 755 "$dir" "$dir/tools"
for name in $commands; do
    ln -s tools "$dir/$name"
    TOOLS=$dir/$name DTRACE=$dir/$name
    run --nonsense
    ended 2
    says "$name: illegal option -- nonsense"
    says "Usage: $name "
    # It traces nothing.
    [ $name = calibrate ] && continue
    words=
    case $name in lockstat | plockstat | cputrack) words=true ;; esac
    "$(command -v setpriv || echo su)" --reuid 65534 --regid 65534 --clear-groups "$dir/$name" $words >"$dir/.out" 2>"$dir/.err"
    status=$? out=$(cat "$dir/.out") err=$(cat "$dir/.err") what="$name without privileges"
    ended 1
    says "$name: DTrace requires additional privileges"
    one_line
done
