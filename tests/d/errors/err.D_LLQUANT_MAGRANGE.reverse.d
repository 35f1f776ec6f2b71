/*
 * says: llquantize( ) high magnitude (argument #3) must be greater than low magnitude (argument #2)
 */
BEGIN { @ = llquantize(1, 10, 6, 0, 20); }
