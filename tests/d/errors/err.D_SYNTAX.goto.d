/*
 * says: syntax error near "goto"
 */
BEGIN { goto x; }
