/*
 * says: identifier redeclared: x
 * says: tuple length 2
 * says: tuple length 1
 */
int x[int];
int x[int, int];
