# Threads in known states, by their own clocks, alone and beside threads that want all CPUs: what prstat shows is that, and
# together all of the time. Where states begin and end with a switch of two threads, what others do between the looks at the two
# clocks makes a few points.
# @@needs cc
# @@timeout 180
. "$(dirname "$0")/lib.bash"
# What is measured, and who takes the times, should not wait for other tests.
renice -n -20 $$ >/dev/null
cc -O1 -w -o "$dir/states" "$(dirname "$0")/states.c" -lpthread || exit 1
# judged MODE CONDITION: the second table over a thread of this kind, against its own figures from table to table; CONDITION, in
# awk, of its own figures: o[1] USR o[2] SYS o[3] TFL o[4] DFL o[5] LCK o[6] SLP o[7] LAT. (In a first table there may be a
# wait that began before tracing, whose kind is not known.)
judged() {
    rm -f "$dir/stop" "$dir/at"
    what="prstat of $1" err=
    "$dir/states" "$1" "$dir/stop" >"$dir/own" &
    load=$!
    until grep -q ready "$dir/own"; do kill -0 $load || fail "no load $1"; sleep 0.05; done
    sleep 0.3
    out=$("$TOOLS" prstat -mL -n 999 -p $load 2 2 | while IFS= read -r line; do
        case $line in *USERNAME*) echo "$EPOCHREALTIME" >>"$dir/at" ;; esac
        [ "$(wc -l <"$dir/at")" = 2 ] && printf '%s\n' "$line"
    done)
    touch "$dir/stop"
    wait $load || fail "load $1: $?"
    own=$(awk -v times="$(tr '\n' ' ' <"$dir/at")" '
        BEGIN { split(times, t, " ") }
        NF == 8 && $1 <= t[2] { for (n = 2; n <= 8; n++) { if ($1 <= t[1]) from[n] = $n; to[n] = $n } }
        END { for (n = 2; n <= 8; n++) { part[n] = to[n] - from[n]; if (n < 8) all += part[n] }
              for (n = 2; n < 8; n++) printf "%.2f ", 100 * part[n] / all
              printf "%.2f\n", 100 * part[8] / (all + part[8]) }' "$dir/own")
    # What prstat shows: USR SYS TRP TFL DFL LCK SLP LAT are 3 to 10. Traps are on a CPU, in the program or not.
    printf '%s\n' "$out" | awk -v own="$own" -v pid="$load" -v mode="$1" '
        function near(a, b) { if (a - b > points || b - a > points) { print a, b; bad = 1 } }
        $1 == pid { sum = $3 + $4 + $5 + $6 + $7 + $8 + $9 + $10; if (sum < 98 || sum > 102) exit 1 }
        $1 == pid && $NF ~ ("/" pid "$") {
            split(own, o, " "); rest = (100 - $10) / 100
            points = (mode == "mix" ? 2 : 6) + 0.6 * (1 / rest - 1)   # what is shown is rounded
            if (mode == "disk") {
                # Interrupts of the disk, which are CPU time for prstat, count as waiting for its own clocks.
                if ($7 / rest > o[4] + points || $7 / rest < o[4] / 4 || $7 == 0) { print $7 / rest, o[4]; exit 1 }
                main = 1
                next
            }
            if (mode == "cpu") near(($3 + $4 + $5) / rest, o[1] + o[2]); else { near(($3 + $5) / rest, o[1]); near($4 / rest, o[2]) }
            near($6 / rest, o[3]); near($7 / rest, o[4]); near($8 / rest, o[5]); near($9 / rest, o[6])
            points = 9; near($10, o[7])
            if (!('"$2"')) { print "own:", own; bad = 1 }
            main = 1
        }
        END { exit bad || !main }' || fail "states of $1: own: $own"
}
# An emulated processor takes longer to look at its clocks.
off=3
[ "${SLOW:-1}" -le 1 ] || off=8
judged mix "o[1] > 30 - $off && o[1] < 30 + $off && o[2] > 20 - $off && o[2] < 20 + $off"
other=$(printf '%s\n' "$out" | awk -v pid="$load" '$1 == pid && $NF !~ ("/" pid "$") { print ($8 >= 95) }')
[ "$other" = 1 ] || fail "not LCK: a thread that waits for a lock that is never free"
judged lock 'o[5] > 10'
# Two threads that want the same CPU: this one has half of it, or less if others want it too.
judged cpu 'o[7] > 40'
case $(uname -m) in x86_64)
    judged data 'o[4] > 30'
    judged code 'o[3] > 30'
    judged disk '1' ;;
esac
burners=
for n in $(seq $(($(nproc) * 2))); do nice -n 5 bash -c 'while :; do :; done' & burners="$burners $!"; done
trap 'kill $burners; rm -rf "$dir"' EXIT
judged mix 'o[7] > 3'
judged lock '1'
