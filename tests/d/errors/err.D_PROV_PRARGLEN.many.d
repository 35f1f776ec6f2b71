/*
 * says: probe a input prototype exceeds 32 parameters: 33 params used
 */
provider foo { probe a(int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int); };
