/*
 * says: offsetof operand must be a struct or union type
 */
BEGIN { trace(offsetof(int, a)); }
