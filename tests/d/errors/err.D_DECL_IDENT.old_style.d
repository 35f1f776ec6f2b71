/*
 * says: old-style declaration or incorrect type specified
 */
int f(int a b);
