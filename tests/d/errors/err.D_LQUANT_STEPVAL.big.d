/*
 * says: lquantize( ) argument #3 must be a 16-bit quantity
 */
BEGIN { @ = lquantize(1, 0, 1000000, 70000); }
