/*
 * says: quantize( ) prototype mismatch: 3 args passed, at most 2 expected
 */
BEGIN { @ = quantize(1, 2, 3); }
