# @@needs cc
# @@needs nm
# @@timeout 60
# Stacks of a program and a library without frame pointers, as record and as key, from a system call, from the scheduler
# with interrupts off: frame by frame what the program says itself.
dir=$(mktemp -d)
trap 'kill $pid 2>/dev/null; rm -rf "$dir"' EXIT
cc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fcf-protection=none -no-pie -o "$dir/chain" "$(dirname "$0")/chain.c" || exit 1
"$dir/chain" >"$dir/said" &
pid=$!
for _ in $(seq 100); do
    [ "$(wc -l <"$dir/said")" -eq 27 ] && break
    sleep 0.05
done

# A frame as an address: it is shown as one, or by a name.
address() {
    case $1 in
    0x*) echo "$1" ;;
    chain\`*+0x*)
        name=${1#chain\`}
        printf '0x%x\n' $((16#$(nm "$dir/chain" | awk -v n="${name%+*}" '$3 == n { print $1 }') + ${name##*+})) ;;
    *) echo elsewhere ;;
    esac
}

check() {
    grep -v '^ *$' "$dir/out" | head -40 | tr -d ' ' >"$dir/frames"
    # First come the function of the library that waits and its caller; behind main() is what called that.
    for frame in $(sed -n 3,29p "$dir/frames"); do address "$frame"; done >"$dir/walked"
    if ! cmp -s "$dir/said" "$dir/walked" || [ "$(wc -l <"$dir/frames")" -lt 30 ]; then
        echo "$1: wrong frames"
        paste "$dir/said" "$dir/walked"
        cat "$dir/frames"
        exit 1
    fi
}

"$DTRACE" -qn 'syscall::poll:entry /pid == $target/ { ustack(64); exit(0); }' -p "$pid" >"$dir/out"
check record
"$DTRACE" -qn 'syscall::poll:return /pid == $target/ { @[ustack(64)] = count(); } tick-300ms { exit(0); }' -p "$pid" >"$dir/out"
check key
"$DTRACE" -qn 'sdt:sched::sched_switch /pid == $target/ { ustack(64); exit(0); }' -p "$pid" >"$dir/out"
check switch
"$DTRACE" -qn 'syscall::poll:entry /pid == $target/ { printf("%d %p", ustackdepth, ucaller); exit(0); }' -p "$pid" >"$dir/out"
read -r depth caller <"$dir/out"
[ "$depth" -ge 30 ] && [ "0x${caller#0x}" = "$(address "$(sed -n 2p "$dir/frames")")" ] || { cat "$dir/out"; exit 1; }
