# User stacks and user addresses are recorded and shown, by name or by number.
. "$(dirname "$0")/../cli/lib.bash"
run -q -n 'syscall::write:entry /pid == $target/ {
	ustack(); ustack(2); jstack(2); usym(ucaller); ufunc(ucaller); umod(ucaller); uaddr(ucaller);
	printf("\n%A|%k", ucaller, ustack(1)); exit(0); }' -c 'dd if=/dev/zero of=/dev/null bs=5 count=5 status=none'
ended 0
said ''
prints '|'
[ "$(grep -c . "$dir/.out")" -ge 5 ] || fail 'too little'
