# Interrupts as /proc counts them: softirqs of a kind on both sides, and a time for each.
# @@needs python3
# @@timeout 90
. "$(dirname "$0")/lib.bash"
timers() { awk '$1 == "TIMER:" || $1 == "SCHED:" || $1 == "RCU:" || $1 == "HRTIMER:" { for (i = 2; i <= NF; i++) n += $i } END { print n }' /proc/softirqs; }
tables() { for _ in $(seq 500); do [ "$(grep -c 'device |' "$dir/.out")" -ge "$1" ] && return; sleep 0.02; done; finish_kill "no table $1"; }
whole=$(timers)
start intrstat 0.7 4
tables 1
inside=$(timers)
tables 3
inside=$(($(timers) - inside))
finish
ended 0
whole=$(($(timers) - whole))
printf '%s\n' "$out" >"$dir/out"
python3 - "$dir/out" "$inside" "$whole" <<'P' || fail "not what /proc/softirqs counts: $inside in the middle, $whole in all"
import re, sys
tables = open(sys.argv[1]).read().split('device |')[1:]
assert len(tables) == 4, len(tables)
counts = []
for t in tables:
    counts.append(0)
    for line in t.splitlines()[2:]:
        m = re.match(r'\s*(\S+) \|(.*)', line)
        if not m: continue
        cells = m[2].split()
        assert len(cells) % 2 == 0 and all(0 <= float(p) <= 100 for p in cells[1::2]), line
        if m[1] in ('softirq#TIMER', 'softirq#SCHED', 'softirq#RCU', 'softirq#HRTIMER'):
            counts[-1] += sum(map(int, cells[0::2]))
inside, whole = map(int, sys.argv[2:])
assert 20 < inside <= 1.02 * sum(counts[1:]) and sum(counts) <= whole, counts
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
