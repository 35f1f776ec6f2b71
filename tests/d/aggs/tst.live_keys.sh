# Keys of live events: name, descriptor, strings of the process.
out=$("$DTRACE" -qn 'syscall::write:entry /pid == $target/ { @[execname, arg0, copyinstr(arg1, 1), probefunc] = sum(arg2); }' -c 'sh -c "echo abc > /dev/null; echo abc > /dev/null; echo xy > /dev/null"')
[ "$out" = "$(printf '\n  %-50s %16d  %-50s  %-50s %16d\n  %-50s %16d  %-50s  %-50s %16d' sh 1 x write 3 sh 1 a write 8)" ] || { echo "$out"; exit 1; }
