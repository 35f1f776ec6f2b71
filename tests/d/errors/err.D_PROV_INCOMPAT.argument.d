/*
 * says: prototype argument #1 mismatch:
 * says: 	 current: char *
 * says: 	previous: int
 */
provider foo { probe a(int); };
provider foo { probe a(char *); };
