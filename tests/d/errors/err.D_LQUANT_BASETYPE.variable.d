/*
 * says: lquantize( ) argument #1 must be an integer constant
 */
BEGIN { @ = lquantize(1, pid, 10, 1); }
