/*
 * says: type redeclared: struct s
 */
struct s { int a; };
struct s { int b; };
