# tick-N fires as often as it says, on one CPU; in every unit.
. "$(dirname "$0")/../cli/lib.bash"
for t in tick-100hz tick-100 tick-10ms tick-10msec tick-10000us tick-10000usec tick-10000000ns tick-10000000nsec; do
    run -qn "$t { n++; } tick-500ms { printf(\"%d\", n); exit(0); }"
    ended 0
    [ "$out" -ge 25 ] && [ "$out" -le 55 ] || fail "$t: $out in half a second, not about 50"
done
