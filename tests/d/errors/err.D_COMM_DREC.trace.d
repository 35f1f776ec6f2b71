/*
 * says: commit( ) may not follow data-recording action(s)
 */
BEGIN { trace(1); commit(1); }
