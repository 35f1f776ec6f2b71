/*
 * says: D scoping operator may not be used in a member name (a`b)
 */
struct s { int a`b; };
