/* at most 50 instructions */
syscall:::entry { @ = count(); }
