# One speculation a thread and system call: only those that fail come out, whole and in order.
. "$(dirname "$0")/../cli/lib.bash"
# The test runner's makes the dynamic linker try hundreds of files: more speculations than there are on a busy machine.
unset LD_LIBRARY_PATH
run -q -x nspec=256 -x specsize=4k -n '
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
