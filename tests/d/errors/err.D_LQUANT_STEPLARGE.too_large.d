/*
 * says: lquantize( ) step (argument #3) too large: must have at least one quantization level
 */
BEGIN { @ = lquantize(1, 0, 10, 11); }
