/*
 * says: D scoping operator may not be used in an enumerator name (a`b)
 */
enum e { a`b };
