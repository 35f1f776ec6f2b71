/*
 * says: D scoping operator may not be used in a declaration name (a`b)
 */
int a`b;
