/*
 * says: syntax error near "trace"
 */
BEGIN { trace(1) trace(2); }
