/*
 * says: invalid type declaration: short and long may not be used with char type
 */
short char x;
