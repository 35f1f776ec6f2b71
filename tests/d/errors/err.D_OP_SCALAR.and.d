/*
 * says: operator && requires operands of scalar type
 */
BEGIN { trace("a" && 1); }
