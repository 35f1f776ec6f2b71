/*
 * says: prototype mismatch:
 * says: 	 current: 2 args
 * says: 	previous: 1 arg
 */
provider foo { probe a(int); };
provider foo { probe a(int, int); };
