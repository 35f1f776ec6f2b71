# Counts of known work are exact within 1 per cent in a process (cputrack); the CPUs count that and what else runs (hwstat).
# Virtual machines whose counters stand still while others run on the CPU would fail: there counters are not to be trusted.
# @@needs probe=cpc:::instructions-user-100000
# @@timeout 60
. "$(dirname "$0")/../tools/lib.bash"
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(b > 0 && d <= b / 100) }'; }
for work in registers sequential scattered; do
    run cputrack -T 0 -c PAPI_tot_ins,PAPI_tot_cyc "$TOOLS" calibrate -m 1 -n 100 $work
    ended 0
    known=$(printf '%s\n' "$out" | awk '/instructions in user mode/ { print $1 }')
    counted=$(printf '%s\n' "$out" | awk '$3 == "exit" { print $4 }')
    cycles=$(printf '%s\n' "$out" | awk '$3 == "exit" { print $5 }')
    echo "cputrack $work: known $known, counted $counted, cycles $cycles"
    near "$counted" "$known" || fail "$work: $counted instructions, not $known"
done
start hwstat -u cpi 0.3
wait_for all
"$TOOLS" calibrate -n 500 registers >"$dir/known" || fail calibrate
finish INT
ended 0
known=$(awk '{ print $1; exit }' "$dir/known")
counted=$(printf '%s\n' "$out" | awk '$2 == "total" { print $3 }')
echo "hwstat: known $known, counted $counted"
[ "$counted" -ge "$known" ] || fail "the CPUs: $counted instructions, not $known"
