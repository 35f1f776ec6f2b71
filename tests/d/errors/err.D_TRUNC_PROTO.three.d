/*
 * says: trunc( ) prototype mismatch: 3 args passed, no more than 2 expected
 */
BEGIN { @a = count(); trunc(@a, 1, 2); }
