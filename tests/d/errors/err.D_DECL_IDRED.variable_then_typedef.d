/*
 * says: global variable identifier redeclared: x
 */
int x;
typedef int x;
