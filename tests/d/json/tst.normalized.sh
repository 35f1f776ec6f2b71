# Numbers are normalised, and the factor is told.
"$DTRACE" -O json -n 'BEGIN { @["k"] = sum(70); normalize(@, 10); exit(0); }' 2>/dev/null | grep aggregation\",\"name
