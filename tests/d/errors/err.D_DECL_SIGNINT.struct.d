/*
 * says: invalid type declaration: signed and unsigned may only be used with integer type
 */
struct s {
	int a;
	int b:3;
};
unsigned struct s x;
