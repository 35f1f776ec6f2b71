/*
 * says: lquantize( ) argument #2 must be a 32-bit quantity
 */
BEGIN { @ = lquantize(1, 0, 0x100000000, 1); }
