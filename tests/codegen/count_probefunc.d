/* golden: ir; at most 60 instructions */
syscall:::entry { @[probefunc] = count(); }
