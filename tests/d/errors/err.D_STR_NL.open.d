/*
 * says: newline encountered in string literal
 */
BEGIN { trace("a
"); }
