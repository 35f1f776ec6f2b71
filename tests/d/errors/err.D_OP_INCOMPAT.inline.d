/*
 * says: inline x definition uses incompatible types: "int" = "string"
 */
inline int x = "s";
BEGIN { trace(x); }
