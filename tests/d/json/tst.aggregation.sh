# Aggregations with keys, in order.
"$DTRACE" -O json -n 'BEGIN { @["b", 2] = sum(5); @["a", 1] = sum(-5); exit(0); }' 2>/dev/null | sed -E 's/"(cpu|timestamp|pc)":[0-9]+/"\1":0/g' 
