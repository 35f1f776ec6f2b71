/*
 * says: printa( ) argument #1 is incompatible with prototype:
 * says: 	prototype: aggregation
 * says: 	 argument: 
 */
BEGIN { printa(1); }
