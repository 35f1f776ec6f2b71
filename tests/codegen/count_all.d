/* at most 45 instructions */
syscall:::entry { @ = count(); }
