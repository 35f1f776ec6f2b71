/*
 * says: operator * requires operands of arithmetic type
 */
BEGIN { trace("a" * 2); }
