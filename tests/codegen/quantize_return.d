/* at most 140 instructions */
syscall::read:return { @[execname] = quantize(arg0); }
