/*
 * says: syntax error near "
 */
BEGIN { trace("a" "b"); }
