/*
 * says: strlen( ) prototype mismatch: 0 args passed, 1 expected
 */
BEGIN { trace(strlen()); }
