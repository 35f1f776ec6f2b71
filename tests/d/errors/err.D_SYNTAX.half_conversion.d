/*
 * says: name expected before end of format string
 */
BEGIN { printf("a %", 1); }
