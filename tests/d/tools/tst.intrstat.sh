# Interrupts as /proc counts them: softirqs of a kind on both sides, and a time for each.
# @@needs python3
. "$(dirname "$0")/lib.bash"
timers() { awk '$1 == "TIMER:" || $1 == "SCHED:" || $1 == "RCU:" || $1 == "HRTIMER:" { for (i = 2; i <= NF; i++) n += $i } END { print n }' /proc/softirqs; }
start intrstat 1 3
wait_for device
before=$(timers)
wait_for '^$' # two more tables
finish
ended 0
after=$(timers)
printf '%s\n' "$out" >"$dir/out"
python3 - "$dir/out" "$((after - before))" <<'P' || fail "not what /proc/softirqs counts: $((after - before))"
import re, sys
tables = open(sys.argv[1]).read().split('device |')[1:]
assert len(tables) >= 3, len(tables)
count = 0
for t in tables:
    for line in t.splitlines()[2:]:
        m = re.match(r'\s*(\S+) \|(.*)', line)
        if not m: continue
        cells = m[2].split()
        assert len(cells) % 2 == 0 and all(0 <= float(p) <= 100 for p in cells[1::2]), line
        if m[1] in ('softirq#TIMER', 'softirq#SCHED', 'softirq#RCU', 'softirq#HRTIMER') and t is not tables[0]:
            count += sum(map(int, cells[0::2]))
# The two last tables and what /proc counted are about the same two seconds.
assert count > 20 and abs(count - int(sys.argv[2])) <= 0.3 * count + 20, count
P
run intrstat -H -c 0 0.2 1
ended 0
prints 'cpu0 %tim'
[[ $out != *cpu1* && $out != *softirq* ]] || fail "not only interrupts of CPU 0"
run intrstat -c 4095
ended 2
says 'no such CPU is online: 4095'
start intrstat -V 0.1
wait_for device
finish INT
ended 0
says 'sdt:::interrupt-start'
