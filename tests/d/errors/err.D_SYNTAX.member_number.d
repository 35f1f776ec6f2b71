/*
 * says: syntax error near "1"
 */
BEGIN { trace(curthread->1); }
