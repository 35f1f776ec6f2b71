/*
 * says: lquantize( ) argument #3 must be a non-zero positive integer constant
 */
BEGIN { @ = lquantize(1, 0, 10, 0); }
