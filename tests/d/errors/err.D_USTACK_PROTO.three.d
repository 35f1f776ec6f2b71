/*
 * says: ustack( ) prototype mismatch: too many arguments
 */
BEGIN { ustack(1, 2, 3); }
