/*
 * says: cannot take address of bit-field
 */
struct s {
	int a;
	int b:3;
};
struct s *p;
BEGIN { trace(&p->b); }
