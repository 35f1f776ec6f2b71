# Buckets that are not empty.
"$DTRACE" -O json -n 'BEGIN { @q = quantize(-1); @q = quantize(5, 2); @l = lquantize(-1, 0, 10, 5); @l = lquantize(99, 0, 10, 5); @l = lquantize(7, 0, 10, 5); exit(0); }' 2>/dev/null | sed -E 's/"(cpu|timestamp|pc)":[0-9]+/"\1":0/g' 
