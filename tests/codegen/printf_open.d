/* at most 170 instructions */
syscall::openat:entry { printf("%s %s\n", execname, copyinstr(arg1)); }
