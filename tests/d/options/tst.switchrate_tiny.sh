# A switch rate of some nanoseconds, as scripts have it that meant hz, does not keep a CPU busy.
. "$(dirname "$0")/../cli/lib.bash"
run -qn '#pragma D option switchrate=10
    tick-100ms /n++ < 10/ { printf("%d\n", n); }
    syscall:::entry /pid == $pid/ { @calls = count(); }
    tick-100ms /n == 11/ { printa("calls %@d\n", @calls); exit(0); }'
ended 0
[ "$(printf '%s\n' "$out" | grep -c '^[0-9]')" = 10 ] || fail "lines: $out"
calls=$(printf '%s\n' "$out" | sed -n 's/^calls //p')
[ "${calls:-0}" -lt 20000 ] || fail "$calls system calls in a second"
