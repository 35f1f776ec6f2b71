/*
 * says: printf( ) argument #1 is incompatible with prototype:
 * says: 	prototype: string constant
 * says: 	 argument: 
 */
BEGIN { printf(1); }
