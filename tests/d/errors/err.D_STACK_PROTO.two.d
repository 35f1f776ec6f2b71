/*
 * says: stack( ) prototype mismatch: too many arguments
 */
BEGIN { stack(1, 2); }
