# What was lost is in the picture.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
draw flame -xaggsize=4k -n 'int n; tick-1ms { @[n++, stack()] = count(); } tick-1s { exit(0); }'
grep -qE 'class="lost">LOST: [0-9]+ aggregation drops<' "$picture" || fail "no aggregation drops"
draw flame -n 'BEGIN { @[stack()] = count(); } BEGIN { @x[*(int *)8] = count(); } BEGIN { exit(0); }'
shows 'LOST: 1 firing by an error'
draw trace -n 'BEGIN { trace(*(int *)8); } BEGIN { trace(2); exit(0); }'
shows '"ph":"i","name":"LOST: 1 firing by an error"'
shows '"lost":"LOST: 1 firing by an error"'
