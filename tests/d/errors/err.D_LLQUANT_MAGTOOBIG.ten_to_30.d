/*
 * says: llquantize( ) factor (10) raised to power of high magnitude (30) plus 1 overflows 64-bits
 */
BEGIN { @ = llquantize(1, 10, 0, 30, 20); }
