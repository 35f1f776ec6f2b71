# Events of each CPU: lines and totals, lists in turn, what a program on one CPU is known to do, and machines without counters.
# @@needs python3
# @@timeout 120
. "$(dirname "$0")/lib.bash"
cpus=$(nproc)
run cpustat -c context-switches,task-clock 0.5 2
ended 0
said ''
printf '%s\n' "$out" | awk -v cpus="$cpus" '
    NR == 1 { if ($0 !~ /^ +time +cpu +event +pic0 +pic1$/) exit 1; next }
    $3 == "tick" { n++; sum += $4; clock = $5; if (clock < 400000000 || clock > 5000000000) exit 2; all += $5; next }
    $3 == "total" { total = 1; if ($2 != cpus || $4 != sum || $5 != all) exit 3; next }
    { exit 4 }
    END { if (n != 2 * cpus || !total || sum < 1) exit 5 }' || fail "table: $?"
# 20,000 pages on CPU 0 are 20,000 faults there.
cat >"$dir/pages.py" <<'P'
import mmap, os
os.sched_setaffinity(0, {0})
m = mmap.mmap(-1, 20000 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
m.madvise(15)  # MADV_NOHUGEPAGE
for n in range(0, 20000 * 4096, 4096): m[n] = 1
P
start cpustat -c page-faults 0.2
wait_for tick
python3 "$dir/pages.py" || fail python
sleep 0.5
finish INT
ended 0
printf '%s\n' "$out" | awk '$2 == 0 && $3 == "tick" { n += $4 } $3 == "total" { total = $4 } END { exit !(n >= 20000 && total >= n) }' ||
    fail "page faults of CPU 0"
# Lists in turn, by name.
run cpustat -n -c context-switches -c pic3=page-faults,sys 0.2 4
ended 0
printf '%s\n' "$out" | awk -v cpus="$cpus" '
    $3 == "tick" { n++; name = $6; if (name != (int((n - 1) / cpus) % 2 ? "page-faults,sys" : "context-switches") && !sub(/^pic3=/, "", name)) exit 1 }
    $3 == "total" { totals++ }
    END { exit !(n == 4 * cpus && totals == 2) }' || fail "lists in turn"
# Rounds of both every second: 2 rounds are 4 samples, the last of them 1.4 s after the beginning.
run cpustat -n -p 1 -c context-switches -c page-faults 0.2 2
ended 0
printf '%s\n' "$out" | awk -v cpus="$cpus" '$3 == "tick" { n++; t = $1 } END { exit !(n == 4 * cpus && t >= 1.3) }' || fail "rounds"
run cpustat -s -n -c page-faults,nouser,sys 0.3 1
ended 0
prints total
run cpustat -D -n -c context-switches 0.2 1
ended 0
says 'list 0, context-switches: its events count together'
# The machine's own counters, or one line. Emulators may have cycles only.
run cpustat -t -c PAPI_tot_cyc 0.5 1
if ls /sys/bus/event_source/devices | grep -qE '^(cpu|cpu_core|armv[0-9].*)$'; then
    ended 0
    printf '%s\n' "$out" | awk '$3 == "total" { found = 1; if ($5 + 0 <= 0 || $4 + 0 < $5 + 0) exit 1 } END { exit !found }' || fail "cycles"
else
    ended 1
    one_line
    says 'cpustat: cannot access performance counters: event '
    says 'no such performance counter'
fi
run cpustat -h
ended 0
prints ' context-switches '
for wrong in '' '-c nonsense' '-c cycles,nouser' '-c context-switches 0' '-c context-switches 1 x'; do
    # shellcheck disable=SC2086
    run cpustat $wrong
    ended 2
    says 'Usage: cpustat '
done
