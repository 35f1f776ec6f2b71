/*
 * says: clear( ) prototype mismatch: 2 args passed, 1 expected
 */
BEGIN { @a = count(); clear(@a, 1); }
