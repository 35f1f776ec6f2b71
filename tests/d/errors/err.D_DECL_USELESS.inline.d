/*
 * says: inline declaration requires a name
 */
inline int = 5;
