/*
 * says: cannot have void member: a
 */
struct s { void a; };
