# The code of a clause is there once for all system calls that it names, and for all functions of a process; but a probe
# that two of its descriptions match fires it twice, and clauses keep their order.
said=$("$DTRACE" -q -n '
    syscall::kill:entry, syscall::tkill:entry, syscall::k*ll:entry /pid == $target/ { @a[probefunc] = count(); self->n = 1; }
    syscall::kill:entry /pid == $target/ { @b[self->n] = count(); self->n = 0; }
    END { printa("%s %@d\n", @a); printa("then %d %@d\n", @b); }' -c 'bash -c "kill -0 $$; kill -0 $$; kill -0 $$"' 2>&1)
[ "$said" = "$(printf 'kill 6\nthen 1 3\n')" ] || { echo "said: $said"; exit 1; }

# instructions D-TEXT: of the program with most
instructions() {
    "$DTRACE" -e -S -p $$ -n "$1" 2>&1 | sed -n 's/^program.*: \([0-9]*\) instructions$/\1/p' | sort -n | tail -1
}
body='{ @[execname, probefunc, ustackdepth] = quantize(arg0); printf("%d %s", pid, curpsinfo->pr_psargs); }'
one=$(instructions "syscall::read:entry $body")
four=$(instructions "syscall::read:entry, syscall::write:entry, syscall::pread64:entry, syscall::pwrite64:entry $body")
[ "$one" -gt 50 ] && [ "$four" -lt $((one * 3 / 2)) ] || { echo "system calls: $one instructions of one, $four of four"; exit 1; }
one=$(instructions "pid\$target:libc:malloc:entry $body")
four=$(instructions "pid\$target:libc:malloc:entry, pid\$target:libc:free:entry, pid\$target:libc:calloc:entry $body")
[ "$one" -gt 50 ] && [ "$four" -lt $((one * 3 / 2)) ] || { echo "functions: $one instructions of one, $four of three"; exit 1; }
