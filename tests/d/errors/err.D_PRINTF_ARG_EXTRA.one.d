/*
 * says: printf( ) prototype mismatch: only 
 * says:  arguments required by this format string
 */
BEGIN { printf("%d", 1, 2); }
