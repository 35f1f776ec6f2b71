# Threads that wait for the mutex of an open file which they share: which lock, by whom, how long; and the forms of the report.
# @@needs python3
# @@timeout 120
. "$(dirname "$0")/lib.bash"
load="python3 $(dirname "$0")/contend.py $dir/file 0.7"
run lockstat -e 0,1 -f fdget_pos $load
ended 0
# Nearly all waits of this load are in fdget_pos, for one lock.
printf '%s\n' "$out" | awk '
    /^Adaptive mutex (spin|block): / { sections++; want += $4 }
    /^Count/ && $0 != "Count indv cuml rcnt     nsec Lock                   Caller" { exit 1 }
    /^ *[0-9]+ +[0-9]+%/ { rows++; got += $1; if ($5 <= 0 || $5 > 1e9 || $6 !~ /^0x[0-9a-f]+$/ || $7 !~ /^fdget_pos\+0x/) exit 2; locks[$6] = 1 }
    END { for (l in locks) n++; if (!sections || got != want || got < 5 || n > 3) exit 3 }' || fail "counts: $?"
lock=$(printf '%s\n' "$out" | awk '/^ *[0-9]+ +[0-9]+%/ { print $6; exit }')
run lockstat -l "$lock,1" -e 0-1 true
ended 0
printed ''
run lockstat -e 0,1 -s 3 -k -D 1 $load
ended 0
prints '      nsec ------ Time Distribution ------ count     Stack'
prints ' fdget_pos'
# The bars add up to the count of their record.
printf '%s\n' "$out" | awk '
    /^ *[0-9]+ +[0-9]+%/ { if (sum != want) exit 1; want = $1; sum = 0 }
    /^ +[0-9]+ \|/ { sub(/^[^|]*\|@* */, ""); sum += $1 }
    END { exit sum != want || want == 0 }' || fail "a distribution that is not the whole"
run lockstat -T -e 0,1 -n 20 -s 2 $load
ended 0
printf '%s\n' "$out" | awk '/^ +[01] / { n++; if ($2 < last) exit 1; last = $2; if (NF != 6 || $3 <= 0) exit 2 } END { exit n < 5 || n > 20 }' || fail "trace: $?"
run lockstat -WPR -e 0,1 -o "$dir/report" $load
ended 0
printed ''
grep -q '^ops/s indv cuml rcnt     nsec Hottest Lock           Caller$' "$dir/report" || fail "no report in the file"
run lockstat -wb -e 0,1 $load
prints 'Count indv cuml rcnt          Lock                   Hottest Caller'
run lockstat -V -d 100000000000 -e 0,1 $load
ended 0
printed ''
says 'lockstat:::adaptive-block'
run lockstat false
ended 0
says 'exited with status 1'
run lockstat nonsuch
ended 1
says 'lockstat: failed to execute nonsuch: '
one_line
run lockstat
ended 2
for bad in '-e 99 true' '-i 0 -I true' '-l x{ true' '-n x true' '-s'; do
    run lockstat $bad
    ended 2
    says 'lockstat: '
done
run lockstat --help
ended 0
prints ' 35  R/W reader hold'
start lockstat sleep 100
for _ in $(seq 200); do [ "$(programs_of $pid)" -gt 0 ] && break; sleep 0.05; done
sleep 1
finish INT
ended 0
prints ' events in '
