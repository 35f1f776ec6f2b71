/*
 * says: printf( ) format string is empty
 */
BEGIN { printf(""); }
