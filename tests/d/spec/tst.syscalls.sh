# One speculation a thread and system call: only those that fail come out, whole and in order.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x nspec=64 -x specsize=4k -n '
	syscall::openat:entry /pid == $target/ { self->s = speculation(); self->path = arg1; }
	syscall::openat:entry /self->s/ { speculate(self->s); printf("open\n"); }
	syscall::openat:return /self->s/ { speculate(self->s); printf("%s: %d\n", copyinstr(self->path), errno); }
	syscall::openat:return /self->s && errno/ { commit(self->s); self->s = 0; }
	syscall::openat:return /self->s/ { discard(self->s); self->s = 0; }
' -c "bash -c 'for i in 1 2 3 4 5 6 7 8 9 10; do : < /etc/passwd; { : < /no/such/\$i; } 2> /dev/null; done'"
ended 0
for i in 1 2 3 4 5 6 7 8 9 10; do
    prints "open
/no/such/$i: 2"
done
[[ $out != *passwd* ]] || fail "a discarded one: $out"
said ''
