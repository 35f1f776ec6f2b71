/*
 * says: invalid cast expression: "int" to "struct s"
 */
struct s {
	int a;
	int b:3;
};
BEGIN { trace((struct s)1); }
