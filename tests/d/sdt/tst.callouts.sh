# Timers and softirqs: what starts ends, on the same CPU; a timer has a function.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'int bad;
    sdt:::callout-start { @c = sum(1); bad += args[0] == 0 || args[1] < 0x8000000000000000 || arg1 != args[1]; n++; } sdt:::callout-end { @c = sum(-1); }
    sdt:::softirq-start { @s = sum(1); bad += args[0] > 9; m++; } sdt:::softirq-complete { @s = sum(-1); }
    tick-300ms { exit(0); } END { printf("%d %d %d\n", n > 0, m > 0, bad); printa("%@d\n", @c); printa("%@d\n", @s); }' -c 'sleep 0.1'
ended 0
printf '%s\n' "$out" | awk 'NR == 1 && $0 != "1 1 0" { exit 1 } NR > 1 && ($1 < -4 || $1 > 4) { exit 1 }' || fail "what starts does not end"
