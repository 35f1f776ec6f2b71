/*
 * says: llquantize( ) factor (argument #1) must be less than or equal to the number of linear steps per magnitude (argument #4)
 */
BEGIN { @ = llquantize(1, 10, 0, 6, 5); }
