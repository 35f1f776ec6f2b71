/*
 * says: undefined function name: nope
 */
BEGIN { nope(1); }
