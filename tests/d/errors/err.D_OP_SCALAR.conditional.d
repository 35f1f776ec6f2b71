/*
 * says: operator ?: expression must be of scalar type
 */
BEGIN { trace("a" ? 1 : 2); }
