/*
 * says: identifier redeclared: x
 * says: key #1 of type
 */
int x[int];
int x[string];
