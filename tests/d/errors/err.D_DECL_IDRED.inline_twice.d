/*
 * says: identifier redefined: x
 * says: 	 current: inline definition
 * says: 	previous: 
 */
inline int x = 1;
inline int x = 2;
