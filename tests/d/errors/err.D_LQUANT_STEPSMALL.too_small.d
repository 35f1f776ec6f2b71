/*
 * says: lquantize( ) step (argument #3) too small: number of quantization levels must be a 16-bit quantity
 */
BEGIN { @ = lquantize(1, 0, 1000000, 1); }
