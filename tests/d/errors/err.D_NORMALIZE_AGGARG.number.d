/*
 * says: normalize( ) argument #1 is incompatible with prototype:
 * says: 	prototype: aggregation
 * says: 	 argument: 
 */
BEGIN { normalize(1, 2); }
