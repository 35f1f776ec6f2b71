/*
 * says: lquantize( ) argument #2 must be an integer constant
 */
BEGIN { @ = lquantize(1, 0, "x", 1); }
