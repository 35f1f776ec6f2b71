/*
 * says: trace( ) prototype mismatch: 0 args passed, 1 expected
 */
BEGIN { trace(); }
