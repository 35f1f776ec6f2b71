/*
 * says: tracemem ( ) prototype mismatch: expected at most 3 args
 */
BEGIN { tracemem(curthread, 4, 4, 4); }
