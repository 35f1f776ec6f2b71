# copyout() and copyoutstr() change the memory of the process, with -w only; what cannot be written is a fault. Where the
# kernel forbids it, the message says so.
. "$(dirname "$0")/../cli/lib.bash"
prog='syscall::write:entry /pid == $target && arg0 == 1/ { copyoutstr("HELLO", arg1, 5); this->x = (char *)alloca(2); this->x[0] = 0x2b; this->x[1] = 0x2d; copyout(this->x, arg1 + 6, 2); copyoutstr("ab", arg1 + 9, 0); }'
run -qn "$prog" -c 'echo hello world'
ended 1
says 'Destructive actions not allowed'
run -wqn "$prog" -c 'echo hello world'
if [ "$status" = 1 ]; then
    said 'dtrace: could not enable tracing: this kernel does not let tracing programs write to user memory (it is locked down, or CAP_SYS_ADMIN is missing): copyout( ) and copyoutstr( ) cannot be had'
    exit 0
fi
ended 0
prints 'HELLO +-rld'
run -wqn 'syscall::write:entry /pid == $target/ { copyout(alloca(4), 8, 4); }' -n 'ERROR { printf("fault %d at %x\n", arg4, arg5); }' -c 'echo hello'
prints 'fault 1 at 8'
prints 'hello'
