/*
 * says: trace( ) may not be applied to a void expression
 */
BEGIN { trace((void)1); }
