# Tables of prstat: lines, counts, what is chosen and how it is sorted; states are all of the time. What they are worth is
# judged by prstat_states.
# @@needs cc
# @@timeout 120
. "$(dirname "$0")/lib.bash"
cc -O1 -w -o "$dir/states" "$(dirname "$0")/states.c" -lpthread || exit 1
"$dir/states" mix "$dir/stop" >"$dir/own" &
load=$!
until grep -q ready "$dir/own"; do sleep 0.05; done
run prstat -mL -p $load 2 1
ended 0
said ''
printf '%s\n' "$out" | head -1 | grep -qx '   PID USERNAME USR SYS TRP TFL DFL LCK SLP LAT VCX ICX SCL SIG PROCESS/LWPID' || fail header
prints 'Total: 1 processes, 2 lwps, load averages: '
# Some hundred sleeps of 10 ms; reading in the kernel.
printf '%s\n' "$out" | awk -v pid="$load" '
    $1 == pid { sum = $3 + $4 + $5 + $6 + $7 + $8 + $9 + $10; if (sum < 98 || sum > 102) exit 1 }
    $1 == pid && $2 != "root" { exit 2 }
    $1 == pid && $NF == "states/" pid { main = 1; if ($11 < 5 || $13 !~ /[0-9]/ || $3 == 0 || $9 == 0) exit 3 }
    END { exit !main }' || fail "the thread: $?"
# Without -L a line for the process; -p takes a list; -s sorts, -n cuts.
run prstat -m -s scl -p $load,$$ 1 1
ended 0
printf '%s\n' "$out" | awk -v pid="$load" 'NR == 2 && ($1 != pid || $NF != "states/2") { exit 1 } END { exit NR != 4 }' || fail "not two processes"
touch "$dir/stop"
wait $load
run prstat -n 3 -s slp 0.3 2
ended 0
[ "$(printf '%s\n' "$out" | wc -l)" = 10 ] || fail "not 2 tables of 3 lines"
prints 'PROCESS/NLWP'
# Threads that begin and end while it looks do not disturb.
(for n in $(seq 200); do true | cat; done) >/dev/null &
run prstat -L -n 500 0.5 3
ended 0
printf '%s\n' "$out" | awk '$1 ~ /^[0-9]+$/ { sum = $3 + $4 + $5 + $6 + $7 + $8 + $9 + $10; n++; if (sum < 97 || sum > 103) { print; exit 1 } } END { exit n < 20 }' ||
    fail "states that are not all of the time"
# A thread that is stopped in the middle of its own code waits for no page.
bash -c 'while :; do :; done' &
spins=$!
(sleep 2; kill -STOP $spins) &
run prstat -p $spins 1 6
kill -9 $spins
ended 0
printf '%s\n' "$out" | awk -v pid=$spins '$1 == pid { last = $0 } END { split(last, c, " "); exit !(c[9] >= 98 && c[7] == 0) }' || fail "not SLP"
run prstat -s nonsense
ended 2
says 'no such column: nonsense'
start prstat -V 0.2
wait_for Total
finish INT
ended 0
says 'sched:::on-cpu'
