# An object for each record.
"$DTRACE" -O json -n 'BEGIN { trace(-5); trace("a\tb"); printf("%d %s\n", 7, "x"); exit(0); }' 2>/dev/null | sed -E 's/"(cpu|timestamp|pc)":[0-9]+/"\1":0/g' 
