/*
 * says: llquantize( ) argument #3 (high magnitude) must be an unsigned 16-bit quantity
 */
BEGIN { @ = llquantize(1, 10, 0, 70000, 20); }
