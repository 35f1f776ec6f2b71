/*
 * says: quantize( ) argument #1 must be of scalar type
 */
BEGIN { @a = quantize("x"); }
