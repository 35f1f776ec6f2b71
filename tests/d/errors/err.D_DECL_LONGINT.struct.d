/*
 * says: invalid type declaration: long and long long may only be used with integer or floating-point type
 */
struct s {
	int a;
	int b:3;
};
long struct s x;
