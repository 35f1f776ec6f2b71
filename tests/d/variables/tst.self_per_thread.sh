# Each thread has its own variables.
out=$("$DTRACE" -qn 'syscall::openat:entry /progenyof($target) && copyinstr(arg1) == "/etc/hostname"/ { self->n++; self->who = pid; printf("%d %d\n", self->n, self->who == pid); }' \
    -c 'sh -c "cat /etc/hostname > /dev/null; cat /etc/hostname /etc/hostname > /dev/null"')
[ "$out" = '1 1
1 1
2 1' ] || { echo "$out"; exit 1; }
