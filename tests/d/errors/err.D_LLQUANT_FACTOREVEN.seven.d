/*
 * says: llquantize( ) factor (argument #1) must evenly divide the number of steps per magnitude (argument #4), and the number of steps per magnitude must evenly divide a power of the factor
 */
BEGIN { @ = llquantize(1, 7, 0, 6, 20); }
