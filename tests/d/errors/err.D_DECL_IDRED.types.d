/*
 * says: identifier redeclared: x
 * says: 	 current: 
 * says: 	previous: 
 */
int x;
string x;
