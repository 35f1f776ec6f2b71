/*
 * says: clear( ) argument #1 is incompatible with prototype:
 * says: 	prototype: aggregation
 * says: 	 argument: 
 */
BEGIN { clear(1); }
