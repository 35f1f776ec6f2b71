# alloca() and copyin() give up to scratchsize bytes.
. "$(dirname "$0")/../cli/lib.bash"
{ head -c 11999 /dev/zero; printf Z; } > "$dir/data"
copy="dd if=$dir/data of=/dev/null bs=12000 count=1 status=none"
text='syscall::write:entry /pid == $target && arg2 == 12000/ { this->b = (char *)copyin(arg1, arg2); printf("%c\n", this->b[arg2 - 1]); exit(0); }'
run -qn "$text" -c "$copy"
ended 0
prints Z
run -qx scratchsize=4k -n "$text" -c "$copy"
says 'out of scratch space'
run -qn 'BEGIN { this->p = (char *)alloca(1000000); exit(0); }'
ended 1
says '1000000 bytes of scratch memory were asked for, at most 16384 can be had: -xscratchsize=1000000 allows it'
run -qx scratchsize=1m -n 'BEGIN { this->p = (char *)alloca(1000000); this->p[999999] = 7; printf("%d\n", this->p[999999]); exit(0); }'
ended 0
prints 7
run -x scratchsize=2m -n 'BEGIN { exit(0); }'
ended 1
says 'Invalid value for specified option'
