/*
 * says: llquantize( ) argument #4 (linear steps per magnitude) must be an integer constant
 */
BEGIN { @ = llquantize(1, 10, 0, 6, "x"); }
