/*
 * says: syntax error near "while"
 */
BEGIN { while (1) ; }
