/*
 * says: llquantize( ) argument #2 (low magnitude) must be an unsigned 16-bit quantity
 */
BEGIN { @ = llquantize(1, 10, 70000, 6, 20); }
