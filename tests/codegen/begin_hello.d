/* golden: ir; at most 85 instructions */
BEGIN { printf("hello\n"); exit(0); }
