/*
 * says: syntax error near "="
 */
int x = 1;
BEGIN { trace(x); }
