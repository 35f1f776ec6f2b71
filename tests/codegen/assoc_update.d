/* one look-up: at most 70 instructions */
syscall::getppid:entry { a[cpu]++; }
