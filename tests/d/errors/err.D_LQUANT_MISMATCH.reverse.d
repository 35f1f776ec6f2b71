/*
 * says: lquantize( ) base (argument #1) must be less than limit (argument #2)
 */
BEGIN { @ = lquantize(1, 10, 0, 1); }
