/*
 * says: llquantize( ) argument #1 (factor) must be an unsigned 16-bit quantity
 */
BEGIN { @ = llquantize(1, 70000, 0, 6, 20); }
