/*
 * says: llquantize( ) factor (argument #1) must be two or more
 */
BEGIN { @ = llquantize(1, 1, 0, 6, 20); }
