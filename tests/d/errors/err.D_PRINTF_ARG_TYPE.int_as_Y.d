/*
 * says: printf( ) argument #2 is incompatible with conversion #1 prototype:
 * says: 	conversion: %Y
 */
BEGIN { printf("%Y", (int)1); }
