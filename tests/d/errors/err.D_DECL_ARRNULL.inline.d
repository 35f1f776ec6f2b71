/*
 * says: inline declaration requires array tuple signature: a
 */
inline int a[] = 1;
