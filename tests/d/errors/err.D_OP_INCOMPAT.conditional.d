/*
 * says: operator ?: operands must have compatible types
 */
BEGIN { trace(pid ? 1 : "x"); }
