/* at most 70 instructions */
syscall::read:entry /execname == "bash"/ { @ = count(); }
