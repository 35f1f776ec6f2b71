# args[] are typed: sizes and signs as the kernel declares them; strings through copyinstr.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall::openat:entry /pid == $target && basename(copyinstr(arg1)) == "t-e-s-t"/ { printf("%d %d %s %d\n", sizeof (args[0]), args[0], copyinstr((uintptr_t)args[1]), sizeof (args[1])); }' -c "cat $dir/t-e-s-t"
ended 0
printed "4 -100 $dir/t-e-s-t 8"
run -en 'syscall::read:entry { trace(args[3]); }'
ended 1
says 'index 3 is out of range'
run -en 'syscall::getpid:entry { trace(args[0]); }'
ended 1
