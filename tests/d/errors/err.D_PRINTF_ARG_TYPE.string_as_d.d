/*
 * says: printf( ) argument #2 is incompatible with conversion #1 prototype:
 * says: 	conversion: %d
 * says: 	 prototype: 
 * says: 	  argument: string
 */
BEGIN { printf("%d", "x"); }
