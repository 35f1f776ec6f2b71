/* at most 100 instructions */
syscall:::entry { @[pid, execname] = count(); }
