# A thread that spends 30 % of its time in user mode, 20 % in the kernel and sleeps 50 %, by its own measure, and one that waits
# for it: the states are within 2 points, and are all of the time.
# @@needs python3
# @@timeout 120
. "$(dirname "$0")/lib.bash"
cat >"$dir/load.py" <<'P'
import os, sys, threading, time
os.nice(-20)
def cpu(): return time.clock_gettime(time.CLOCK_THREAD_CPUTIME_ID)
zero, buffer = open('/dev/zero', 'rb', 0), bytearray(1 << 20)
lock = threading.Lock()
lock.acquire()
threading.Thread(target=lock.acquire, daemon=True).start()
user = kernel = asleep = 0
print('ready', flush=True)
while not os.path.exists(sys.argv[1]):
    start = cpu()
    while cpu() - start < 0.030:
        for n in range(30000): pass
    middle = cpu()
    while cpu() - middle < 0.020:
        zero.readinto(buffer)
    user, kernel = user + middle - start, kernel + cpu() - middle
    wall = time.monotonic()
    time.sleep(0.050)
    asleep += time.monotonic() - wall
print(user, kernel, asleep, flush=True)
P
python3 "$dir/load.py" "$dir/stop" >"$dir/own" &
load=$!
until grep -q ready "$dir/own"; do sleep 0.05; done
sleep 0.5
run prstat -mL -p $load 4 1
touch "$dir/stop"
wait $load
ended 0
said ''
printf '%s\n' "$out" | head -1 | grep -qx '   PID USERNAME USR SYS TRP TFL DFL LCK SLP LAT VCX ICX SCL SIG PROCESS/LWPID' || fail header
prints 'Total: 1 processes, 2 lwps, load averages: '
# Waiting for a CPU is not of the thread's own choice: the others are compared without it.
printf '%s\n' "$out" | awk -v own="$(tail -1 "$dir/own")" -v pid="$load" '
    function near(a, b) { return a - b <= points && b - a <= points }
    $1 == pid { sum = $3 + $4 + $6 + $7 + $8 + $9 + $10; if (sum < 98 || sum > 102 || $5 != "-") exit 1 }
    $1 == pid && $NF ~ ("/" pid "$") {
        main = 1; split(own, w, " "); all = w[1] + w[2] + w[3]; rest = (100 - $10) / 100
        points = 2 + 0.6 * (1 / rest - 1)   # what is shown is rounded
        if (!near($3 / rest, 100 * w[1] / all) || !near($4 / rest, 100 * w[2] / all) || !near($9 / rest, 100 * w[3] / all)) exit 2
        if (!near(100 * w[1] / all, 30) || $13 !~ /[0-9]/) exit 3
        if ($11 < 15) exit 4 }       # some forty sleeps of 50 ms
    $1 == pid && $NF !~ ("/" pid "$") { other = $8 >= 95 }
    END { if (!main) exit 5; if (!other) exit 6 }' || fail "states: $? (own: $(tail -1 "$dir/own"))"
run prstat -n 3 -s slp 0.3 2
ended 0
[ "$(printf '%s\n' "$out" | wc -l)" = 10 ] || fail "not 2 tables of 3 lines"
prints 'PROCESS/NLWP'
# Threads that begin and end while it looks do not disturb.
(for n in $(seq 200); do true | cat; done) >/dev/null &
run prstat -L -n 500 0.5 3
ended 0
printf '%s\n' "$out" | awk '$1 ~ /^[0-9]+$/ { sum = $3 + $4 + $6 + $7 + $8 + $9 + $10; n++; if (sum < 97 || sum > 103) { print; exit 1 } } END { exit n < 20 }' ||
    fail "states that are not all of the time"
run prstat -s nonsense
ended 2
says 'no such column: nonsense'
start prstat -V 0.2
wait_for Total
finish INT
ended 0
says 'sched:::on-cpu'
