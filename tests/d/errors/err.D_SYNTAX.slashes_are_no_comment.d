/*
 * says: syntax error
 */
BEGIN { trace(1); } // comment
