/*
 * says: printf( ) argument #2 is incompatible with conversion #1 prototype:
 * says: 	conversion: %hd
 */
BEGIN { printf("%hd", 1); }
