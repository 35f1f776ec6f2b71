/*
 * says: cannot have dynamic member: a
 */
struct s { int a[int]; };
