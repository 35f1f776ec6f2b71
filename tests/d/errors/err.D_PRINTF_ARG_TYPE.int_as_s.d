/*
 * says: printf( ) argument #2 is incompatible with conversion #1 prototype:
 * says: 	conversion: %s
 * says: 	  argument: int
 */
BEGIN { printf("%s", 1); }
