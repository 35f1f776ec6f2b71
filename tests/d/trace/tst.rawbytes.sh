# With rawbytes everything that is no integer is dumped.
"$DTRACE" -q -x rawbytes -x strsize=8 -n 'BEGIN { trace("abc"); exit(0); }' 
