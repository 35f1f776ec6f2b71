/*
 * says: llquantize( ) argument #4 (linear steps per magnitude) must be an unsigned 16-bit quantity
 */
BEGIN { @ = llquantize(1, 10, 0, 6, 70000); }
