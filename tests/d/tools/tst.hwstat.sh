# Ratios of counters: what is typed wrong, what the machine lacks, and where it counts, known work is counted as it is.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
run hwstat -h
ended 0
prints '  cpi           cycles per instruction'
for wrong in nonsense 'cpi 0' '-c 99999' 'cpi 1 2 3'; do
    # shellcheck disable=SC2086
    run hwstat $wrong
    ended 2
    says 'Usage: hwstat '
done
run hwstat memory 0.2 1
case $status in
0) prints 'read-MB/s' ;;
*) ended 1; one_line; says 'hwstat: ' ;;
esac
if ls /sys/bus/event_source/devices | grep -qE '^(cpu|cpu_core|armv[0-9].*)$'; then
    # 500 million instructions of a loop in user mode, beside what others do.
    start hwstat -u cpi 0.3
    wait_for all
    "$TOOLS" calibrate -n 500 registers >"$dir/known" || fail calibrate
    finish INT
    ended 0
    printf '%s\n' "$out" | awk 'NR == 1 && $3 == "Instructions" { titled = 1 }
        $2 == "all" { sum += $3 } $2 == "total" { total = $3; cpi = $4; busy = $5 }
        END { exit !(titled && total == sum && total >= 500000000 && cpi > 0.05 && cpi < 50 && busy > 0 && busy <= 100) }' ||
        fail "not the known work"
    run hwstat -a -k -c 0 cpi 0.3 1
    ended 0
    printf '%s\n' "$out" | awk 'NR > 1 && $2 != 0 && $2 != "total" { exit 1 } $2 == 0 && $3 > 0 { n++ } END { exit !n }' || fail "not CPU 0, in the kernel"
else
    # Each way of asking for what is not there.
    run hwstat -a -k -c 0 cpi 0.3 1
    ended 1
    one_line
    run hwstat 0.2 1
    ended 1
    one_line
    says 'no such performance counter'
    run hwstat -h
    prints 'how busy the CPUs are (not on this machine)'
fi
