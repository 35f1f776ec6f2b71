/* golden: ir asm; at most 80 instructions */
syscall::read:entry { @[execname] = count(); }
