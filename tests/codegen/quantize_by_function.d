/* at most 160 instructions */
syscall:::return { @[execname, probefunc] = quantize(arg0); }
