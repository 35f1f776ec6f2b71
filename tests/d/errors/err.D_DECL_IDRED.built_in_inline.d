/*
 * says: built-in identifier redeclared: pid
 */
inline int pid = 5;
