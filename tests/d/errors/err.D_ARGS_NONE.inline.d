/*
 * says: args[ ] may not be referenced outside of a probe clause
 */
inline int x = args[0];
BEGIN { trace(1); }
