/*
 * says: normalize( ) prototype mismatch: 1 args passed, 2 expected
 */
BEGIN { @a = count(); normalize(@a); }
