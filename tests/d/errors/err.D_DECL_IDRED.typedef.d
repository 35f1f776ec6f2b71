/*
 * says: redeclared: foo
 */
typedef int foo;
typedef char foo;
