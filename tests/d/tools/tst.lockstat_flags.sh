# Each flag of lockstat that gathers, filters or reports, on a mutex that three processes want.
# @@needs python3
# @@timeout 240
. "$(dirname "$0")/lib.bash"
load="python3 $(dirname "$0")/contend.py $dir/file 0.5"
# rows PROGRAM: awk over the lines of records: $1 count $2 indv $3 cuml $4 rcnt $5 nsec $6 lock $7 caller; `bad` fails.
rows() {
    printf '%s\n' "$out" | awk '/^ *[0-9]+ +[0-9]+% / { n++; '"$1"' } END { if (!n) { print "no records"; exit 1 } exit bad }' ||
        fail "records: $1"
}
# What is gathered. -C is what is done without it; -t is the last word after -b.
run lockstat -C -f fdget_pos $load
ended 0
[ -z "$(printf '%s\n' "$out" | grep ' events in ' | grep -Ev '^(Adaptive mutex (spin|block)|Spin lock spin|R/W [a-z ]*blocked by [a-z ]*|R/W spin lock, [a-z]* spin): ')" ] || fail "not contention"
rows 'if ($7 !~ /^fdget_pos\+/) bad = 1'
run lockstat -bt -e 0,1 -f fdget_pos $load
ended 0
prints 'Count indv cuml rcnt     nsec Lock                   Caller'
rows 'if ($5 < 1) bad = 1'
run lockstat -b -e 0,1 -f fdget_pos $load
ended 0
rows 'if (NF != 6 || $5 !~ /^0x/) bad = 1'
# Distributions without stacks (-h), with stacks of two (-s); their counts are those of the records.
for how in '-h 0' '-s2 2'; do
    run lockstat ${how% *} -e 0,1 -f fdget_pos $load
    ended 0
    prints '      nsec ------ Time Distribution ------ count     Stack'
    printf '%s\n' "$out" | awk -v depth="${how#* }" '
        function over() { if (want && sum != want || frames > depth || want && frames < depth) bad = 1 }
        /^ *[0-9]+ +[0-9]+% / { over(); want = $1; sum = frames = 0; caller = $7 }
        /^ +[0-9]* +\|/ { sub(/^[^|]*\|@* */, ""); if ($1 ~ /^[0-9]+$/) { sum += $1; $1 = "" } if (NF && $NF != "") { frames++; if (frames == 1 && $NF != caller) bad = 1 } }
        END { over(); exit bad || !want }' || fail "distributions: $how"
done
# Filters. A time that nearly nothing reaches; -f by address; -l by the address of the lock, while it is there.
run lockstat -d 100000 -h -e 0,1 -f fdget_pos $load
ended 0
printf '%s\n' "$out" | awk '/^ +[0-9]+ \|/ { n++; if ($1 < 65536) exit 1 } END { exit n == 0 }' || fail "-d: shorter times"
from=$(awk '$3 == "fdget_pos" { print "0x" $1; exit }' /proc/kallsyms)
run lockstat -e 0,1 -f "$from,0x100" $load
rows 'if ($7 !~ /^fdget_pos\+/) bad = 1'
run lockstat -e 0,1 -f nonsuch_function $load
printed ''
python3 "$(dirname "$0")/contend.py" "$dir/file" 60 &
for _ in 1 2 3 4 5; do
    run lockstat -e 0,1 -D 1 -P -f fdget_pos sleep 0.5
    lock=$(printf '%s\n' "$out" | awk '/^ *[0-9]+ +[0-9]+% / { print $6; exit }')
    [ -n "$lock" ] && break
done
run lockstat -l "$lock" -e 0,1 sleep 1
rows 'if ($6 != "'"$lock"'" || $7 !~ /^fdget_pos\+/) bad = 1'
run lockstat -l "$(printf '0x%x' $((lock + 8))),8" -e 0,1 sleep 0.5
printed ''
# Forms. -D: so many lines of a kind; -P: by time, and parts of it; -R: per second; -k: functions; -w, -W: one for all.
run lockstat -D 1 sleep 1
printf '%s\n' "$out" | awk '/ events in / { n = 0 } /^ *[0-9]+ +[0-9]+% / { all++; if (++n > 1) exit 1 } END { exit !all }' || fail "-D 1: more than one"
run lockstat -P sleep 1
printf '%s\n' "$out" | awk '
    / events in / { last = 2 ^ 60; sum = 0 }
    /^ *[0-9]+ +[0-9]+% / { n++; time = $1 * $5; if (time > last * 1.01 + 5000) exit 1; last = time; sum += $2; if (sum > 103) exit 2 }
    END { exit !n }' || fail "-P: $?"
run lockstat -R -f fdget_pos sleep 1
prints 'ops/s indv cuml rcnt     nsec Lock                   Caller'
printf '%s\n' "$out" | awk '
    / events in / { if (n && (sum > rate + n || sum < rate - n)) exit 1; rate = substr($(NF - 1), 2); sum = n = 0 }
    /^ *[0-9]+ +[0-9]+% / { sum += $1; n++; all++ }
    END { exit !all }' || fail "-R"
run lockstat -k -f fdget_pos sleep 0.5
rows 'if ($7 != "fdget_pos") bad = 1'
run lockstat -wW sleep 0.5
prints 'Count indv cuml rcnt     nsec Hottest Lock           Hottest Caller'
printf '%s\n' "$out" | awk '/ events in / { n = 0; } /^ *[0-9]+ +[0-9]+% / { all++; if (++n > 1 || $2 != "100%") exit 1 } END { exit !all }' || fail "-wW: not one for all"
# -c: a named variable is one lock, wherever in it; -p: fields; -g: each function of the stacks counts the whole.
run lockstat -c -e 2 sleep 0.5
[ -z "$out" ] || rows 'if ($6 ~ /^[a-z_].*\+0x/) bad = 1'
run lockstat -p -h -s 3 -e 0,1 -f fdget_pos sleep 1
printf '%s\n' "$out" | awk '
    { if ($1 > 1 || NF < 71 || NF > 73 || $3 !~ /^0x/ || $4 !~ /^fdget_pos/ || $5 != "1.00" || $71 != $4) exit 1
      sum = 0; for (n = 7; n < 71; n++) sum += $n; if (sum != $2) exit 2 }
    END { exit !NR }' || fail "-p: $?"
run lockstat -gkw -e 0,1 -f fdget_pos sleep 1
prints 'Count genr cuml rcnt     nsec Lock                   Hottest Caller'
run lockstat -gkW -e 0,1 sleep 1
rows 'if ($3 != "----") bad = 1'
printf '%s\n' "$out" | awk '/^ *[0-9]+ +[0-9]+% / { c[$7] = $1 } END { exit !(c["fdget_pos"] && c["do_syscall_64"] >= c["fdget_pos"]) }' || fail "-g: callers count less than what they call"
# -T with room for five; the rest is told.
run lockstat -T -n 5 -e 0,1 sleep 1
printf '%s\n' "$out" | awk '$1 == 0 || $1 == 1 { n++ } / more events \(-n 5\)$/ { more = $1 } END { exit n != 5 || !more }' || fail "-T -n 5"
run lockstat -o "$dir/report" -x bufsize=1m -e 0,1 -f fdget_pos sleep 0.5
printed ''
out=$(cat "$dir/report")
rows 'if ($7 !~ /^fdget_pos\+/) bad = 1'
for job in $(jobs -p); do pkill -P "$job" python3; kill "$job"; done
wait
# A rate that is typed, a known command: the report has the time of that command.
run lockstat -i 133 -I sleep 2
ended 0
printf '%s\n' "$out" | sed -n 2p | grep -Eq '^Profiling interrupt: [0-9]+ events in 2\.[0-9]{3} seconds \([0-9]+ events/sec\)$' || fail "title"
prints 'Count indv cuml rcnt     nsec CPU+PIL                Caller'
run lockstat -x nonsense true
ended 1
says 'failed to set -x nonsense'
one_line
