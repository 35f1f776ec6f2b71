/*
 * says: unacceptable operand for unary & operator
 */
BEGIN { trace(&1); }
