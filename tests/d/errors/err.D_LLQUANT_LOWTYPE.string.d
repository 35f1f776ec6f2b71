/*
 * says: llquantize( ) argument #2 (low magnitude) must be an integer constant
 */
BEGIN { @ = llquantize(1, 10, "x", 6, 20); }
