/*
 * says: llquantize( ) argument #3 (high magnitude) must be an integer constant
 */
BEGIN { @ = llquantize(1, 10, 0, "x", 20); }
