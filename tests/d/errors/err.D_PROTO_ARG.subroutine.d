/*
 * says: strjoin( ) argument #2 is incompatible with prototype:
 * says: 	prototype: const char *
 * says: 	 argument: int
 */
BEGIN { trace(strjoin("a", 1)); }
