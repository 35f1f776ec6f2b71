/* golden: ir asm; at most 60 instructions */
tick-1s { trace(pid); }
