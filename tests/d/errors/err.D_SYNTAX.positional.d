/*
 * says: uses unsupported positional format
 */
BEGIN { printf("%1$d", 1); }
