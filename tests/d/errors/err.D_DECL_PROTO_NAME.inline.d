/*
 * says: parameter declaration requires a name: parameter #1
 */
inline int f[int] = 1;
