/*
 * says: substr( ) prototype mismatch: 1 arg passed, at least 2 expected
 */
BEGIN { trace(substr("a")); }
