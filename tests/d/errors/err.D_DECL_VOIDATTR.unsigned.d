/*
 * says: invalid type declaration: attributes may not be used with void type
 */
unsigned void *x;
