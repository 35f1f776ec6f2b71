# tick-N fires as often as it says, on one CPU; in every unit. Judged by the time that really passed: on a busy machine
# the last tick is late as well, and what was missed is made up for.
. "$(dirname "$0")/../cli/lib.bash"
for t in tick-100hz tick-100 tick-10ms tick-10msec tick-10000us tick-10000usec tick-10000000ns tick-10000000nsec; do
    run -qn "BEGIN { start = timestamp; } $t { n++; } tick-500ms { printf(\"%d %d\", n, (timestamp - start) / 10000000); exit(0); }"
    ended 0
    read -r n expected <<< "$out"
    [ "$n" -ge 25 ] && [ "$n" -le $((expected + 5)) ] || fail "$t: $n, not about $expected"
done
