/* at most 60 instructions */
syscall::read:return { @ = sum(arg0); }
