# What an entry keeps, the return of the same thread finds; others do not.
out=$("$DTRACE" -qn 'syscall::write:entry /progenyof($target)/ { self->t = timestamp; self->fd = arg0; self->what = copyinstr(arg1, 1); } syscall::write:return /self->t/ { printf("%s %d %d %d\n", self->what, self->fd, arg0, timestamp > self->t); self->t = 0; self->what = 0; } syscall::close:entry /progenyof($target) && self->what != NULL/ { printf("left\n"); }' \
    -c 'sh -c "echo abc > /dev/null; (echo d > /dev/null); cat /etc/hostname > /dev/null | true"' | sort | uniq -c | grep -c ' [ad] 1 [42] 1$')
[ "$out" = 2 ] || { echo "<$out>"; exit 1; }
