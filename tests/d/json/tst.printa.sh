# printa() puts its aggregations before the record.
"$DTRACE" -O json -n 'BEGIN { @a["k"] = count(); printa("%s=%@d\n", @a); clear(@a); exit(0); }' 2>/dev/null | sed -E 's/"(cpu|timestamp|pc)":[0-9]+/"\1":0/g' 
