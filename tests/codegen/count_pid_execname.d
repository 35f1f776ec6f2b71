/* at most 110 instructions */
syscall:::entry { @[pid, execname] = count(); }
