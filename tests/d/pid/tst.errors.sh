# What cannot be probed is said, with the reason.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
target
refused() {
    run -q -x errtags -c "$dir/target" -n "pid\$target:$1"
    ended 1
    says "[$2] $3"
}
refused a.out:add:1 D_PROC_ALIGN 'offset 0x1 is not aligned on an instruction'
refused a.out:add:1000 D_PROC_OFF "offset 0x1000 outside of function 'add'"
refused a.out:add:enter D_PROC_NAME "'enter' is an invalid probe name"
refused a.out:sub:entry D_PROC_FUNC "failed to lookup 'sub' in module 'a.out'"
refused libc:-:1000 D_PROC_LIB "only the a.out module is valid with the '-' function"
refused 'a.out:-:*' D_PROC_NAME "only individual addresses may be specified with the '-' function"
refused a.out:-:10 D_PROC_CREATEFAIL "failed to create probe at '-+0x10': the process has no file's code there"
refused libc:_setjmp:return D_PROC_CREATEFAIL "failed to create return probe for '_setjmp': its return address is kept"
refused nolib:add:entry D_PDESC_ZERO 'probe description pid'
target -static
refused libc:add:entry D_PROC_DYN "process $dir/target is not a dynamically-linked executable"
