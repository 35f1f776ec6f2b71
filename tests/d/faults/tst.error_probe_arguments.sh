# ERROR gets the enabling, the action, the place, the fault and the address.
out=$("$DTRACE" -qn 'ERROR { printf("%d %d %d %d %x %s:%s", arg1, arg2, arg3 >= 0, arg4, arg5, probeprov, probename); exit(0); } BEGIN { trace(1); trace(*(int *)0x123456); }' 2>/dev/null)
[ "$out" = '2 2 1 1 123456 dtrace:ERROR' ] || { echo "<$out>"; exit 1; }
out=$("$DTRACE" -qn 'BEGIN { x = 0; trace(1 % x); } ERROR { printf("%d %d %d %d", arg1, arg2, arg4, arg5); exit(0); }' 2>/dev/null)
[ "$out" = '1 2 4 0' ] || { echo "<$out>"; exit 1; }
