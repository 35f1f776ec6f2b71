/*
 * says: tracemem( ) argument #1 is incompatible with prototype:
 * says: 	prototype: pointer or integer
 * says: 	 argument: struct s
 */
struct s {
	int a;
	int b:3;
};
struct s v;
BEGIN { tracemem(v, 4); }
