/*
 * says: quantize( ) increment value (argument #2) must be of scalar type
 */
BEGIN { @ = quantize(1, "x"); }
