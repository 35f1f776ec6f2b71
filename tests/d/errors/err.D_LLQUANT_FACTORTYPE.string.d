/*
 * says: llquantize( ) argument #1 (factor) must be an integer constant
 */
BEGIN { @ = llquantize(1, "x", 0, 6, 20); }
