# Counts and sums as bars.
"$DTRACE" -q -x agghist -n 'BEGIN { @["k"] = sum(1); @["j"] = sum(3); exit(0); }' 
