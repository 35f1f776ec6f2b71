# Context switches as the kernel counts them; a CPU that one program keeps busy is not idle, and has its system calls.
# @@needs python3
# @@timeout 90
. "$(dirname "$0")/lib.bash"
cat >"$dir/load.py" <<'P'
import os, sys
os.nice(-20)
os.sched_setaffinity(0, {int(sys.argv[2])})
while not os.path.exists(sys.argv[1]):
    for n in range(1000): os.getppid()
P
cpu=$(python3 -c 'import os; print(max(os.sched_getaffinity(0)))')
switches() { sed -n 's/^ctxt //p' /proc/stat; }
tables() { for _ in $(seq 500); do [ "$(grep -c ^CPU "$dir/.out")" -ge "$1" ] && return; sleep 0.02; done; finish_kill "no table $1"; }
python3 "$dir/load.py" "$dir/stop" "$cpu" &
# What reads the kernel's counts should see a table when it is there.
renice -n -20 $$ >/dev/null
whole=$(switches)
start dmpstat 1 4
tables 1
inside=$(switches)
tables 3
inside=$(($(switches) - inside))
finish
touch "$dir/stop"
wait
ended 0
# A firing inside another one of its program is missed, and told.
said "$(printf '%s\n' "$err" | grep ' missed at ')"
whole=$(($(switches) - whole))
printf '%s\n' "$out" | head -1 | grep -qx 'CPU minf mjf xcal  intr ithr   csw icsw migr smtx  srw  syscl usr sys  wt idl' || fail header
printf '%s\n' "$out" | awk -v cpu="$cpu" -v inside="$inside" -v whole="$whole" '
    /^CPU/ { table++; next }
    { csw += $7; if (table > 1) later += $7; sum = $13 + $14 + $15 + $16; if (sum < 98 || sum > 102) exit 1 }
    table > 1 && $1 == cpu && ($16 > 3 || $14 < 5 || $12 < 20000) { exit 2 }
    END { if (table != 4 || later * 1.1 < inside || csw > whole * 1.1) { print table, later, inside, csw, whole; exit 3 } }' || fail "counts: $?"
run dmpstat -c "$cpu" 0.2 1
ended 0
[ "$(printf '%s\n' "$out" | wc -l)" = 2 ] || fail "not one CPU"
run dmpstat 1 x
ended 2
