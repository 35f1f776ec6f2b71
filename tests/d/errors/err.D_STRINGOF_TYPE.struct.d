/*
 * says: cannot apply stringof to a value of type struct s
 */
struct s {
	int a;
	int b:3;
};
struct s v;
BEGIN { trace(stringof(v)); }
