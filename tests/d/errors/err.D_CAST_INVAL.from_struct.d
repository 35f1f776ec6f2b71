/*
 * says: invalid cast expression: "struct s" to "int"
 */
struct s {
	int a;
	int b:3;
};
struct s v;
BEGIN { trace((int)v); }
