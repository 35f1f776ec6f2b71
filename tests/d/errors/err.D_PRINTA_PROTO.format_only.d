/*
 * says: printa( ) prototype mismatch: 1 args passed, 2 expected
 */
BEGIN { printa("%@d"); }
