/*
 * says: args[ ] may not be referenced because probe description syscall:::entry matches an unstable set of probes
 */
syscall:::entry { trace(args[0]); }
