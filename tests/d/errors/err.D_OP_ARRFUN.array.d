/*
 * says: operator = may not be applied to operand of type "int [4]"
 */
struct s { int a[4]; };
struct s *p;
BEGIN { p->a = 0; }
