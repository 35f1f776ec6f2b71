/*
 * says: speculate( ) may not follow data-recording action(s)
 */
BEGIN { trace(1); speculate(1); }
