/*
 * says: cannot apply sizeof to a bit-field
 */
struct s {
	int a;
	int b:3;
};
struct s *p;
BEGIN { trace(sizeof(p->b)); }
