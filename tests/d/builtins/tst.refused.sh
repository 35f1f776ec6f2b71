# What Linux cannot give is refused by name, with the reason.
. "$(dirname "$0")/../cli/lib.bash"
refused() {
    run -wqn "BEGIN { $1; }"
    ended 1
    says "$2"
}
refused 'trace(ipl)' 'ipl is not available: Linux has no interrupt priority levels'
refused 'panic()' 'panic( ) is not yet supported: a tracing program cannot panic a Linux kernel'
refused 'breakpoint()' 'breakpoint( ) is not yet supported: Linux has no kernel debugger'
refused 'regs[0]' 'regs is not available: a probe of Linux has no registers of its own to show: use uregs[]'
refused 'trace(vmregs[0])' 'vmregs is not available: virtual machine registers are not available on Linux'
refused 'trace(sx_shared_held(0))' 'sx_shared_held is not available: it exists only on FreeBSD'
refused 'trace(memref(0, 4))' 'memref( ) is not available: it exists only on FreeBSD'
refused 'trace(jid)' 'jid is not available: jails exist only on FreeBSD'
