/*
 * says: printf( ) argument #2 is incompatible with conversion #1 prototype:
 * says: 	 prototype: int
 * says: 	  argument: string
 */
BEGIN { printf("%*d", "x", 1); }
