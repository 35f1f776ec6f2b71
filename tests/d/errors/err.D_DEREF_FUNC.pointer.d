/*
 * says: cannot dereference pointer to function
 */
struct s { int (*f)(int); };
struct s *p;
BEGIN { trace(*p->f); }
