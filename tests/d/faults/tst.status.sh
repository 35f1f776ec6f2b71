# Faults do not change the exit status.
"$DTRACE" -qn 'BEGIN { x = 0; trace(1 / x); } BEGIN { exit(5); }' >/dev/null 2>&1
[ $? = 5 ]
