/*
 * says: args[ ] prototype mismatch: 2 args passed, 1 expected
 */
BEGIN { trace(args[0, 1]); }
