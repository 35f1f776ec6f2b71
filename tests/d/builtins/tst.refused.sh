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
