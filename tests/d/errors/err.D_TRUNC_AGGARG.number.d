/*
 * says: trunc( ) argument #1 is incompatible with prototype:
 * says: 	prototype: aggregation
 * says: 	 argument: 
 */
BEGIN { trunc(1); }
