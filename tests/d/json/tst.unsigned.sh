# Numbers of 64 bits.
"$DTRACE" -O json -n 'BEGIN { trace((uint64_t)-1); trace((int64_t)-1); exit(3); }' 2>/dev/null | sed -E 's/"(cpu|timestamp|pc)":[0-9]+/"\1":0/g' 
