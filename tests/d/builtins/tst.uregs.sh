# Registers of the user code that made a system call; an index that does not exist is a fault.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall::write:entry /pid == $target/ { this->r = R_SP; printf("%d %d\n", uregs[R_PC] > 4096, uregs[this->r] > 4096); }' -c 'echo hello'
ended 0
prints '1 1'
run -qn 'BEGIN { trace(uregs[100]); } ERROR { printf("fault %d\n", arg4); exit(0); }'
prints 'fault 3'
if [ "$(uname -m)" = x86_64 ]; then
    run -qn 'syscall::write:entry /pid == $target/ { printf("%d %d %d\n", uregs[R_RDI] == arg0, uregs[R_RSI] == arg1, uregs[R_RDX] == arg2); }' -c 'echo hello'
    prints '1 1 1'
fi
run -qn 'BEGIN { trace(uregs["x"]); }'
ended 1
says 'uregs[ ] argument #1 is incompatible with prototype'
run -qn 'BEGIN { trace(uregs[R_NONE]); }'
says 'failed to resolve R_NONE'
