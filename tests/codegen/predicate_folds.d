/* golden: ir; at most 50 instructions */
BEGIN /1 + 1 == 2/ { trace(sizeof(int) * 8); }
