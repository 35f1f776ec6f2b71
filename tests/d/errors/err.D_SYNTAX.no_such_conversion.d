/*
 * says: format conversion #1 is undefined: %q
 */
BEGIN { printf("%q", 1); }
