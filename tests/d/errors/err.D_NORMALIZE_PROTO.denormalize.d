/*
 * says: denormalize( ) prototype mismatch: 2 args passed, 1 expected
 */
BEGIN { @a = count(); denormalize(@a, 1); }
