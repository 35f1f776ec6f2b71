/*
 * says: typedef identifier redeclared: foo
 */
typedef int foo;
int foo;
