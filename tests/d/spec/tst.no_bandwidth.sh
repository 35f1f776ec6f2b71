# What is discarded does not take room of the principal buffer.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x bufsize=4k -x switchrate=1s -x nspec=4 -n '
	syscall::write:entry /pid == $target && arg2 == 5/ { self->s = speculation(); }
	syscall::write:entry /self->s/ { speculate(self->s); printf("%s %d\n", execname, arg2); n++; }
	syscall::write:entry /self->s/ { discard(self->s); self->s = 0; }
	END { printf("%d\n", n); }' -c 'dd if=/dev/zero of=/dev/null bs=5 count=30000 status=none'
ended 0
said ''
prints 30000
