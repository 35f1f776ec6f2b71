/*
 * says: invalid type declaration: signed and unsigned may only be used with integer type
 */
unsigned float x;
