/*
 * says: translator for foo:a output argument #1 from int to struct s * is not defined
 */
struct s {
	int a;
	int b:3;
};
provider foo { probe a(int x) : (struct s *x); };
