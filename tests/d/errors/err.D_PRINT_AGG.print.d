/*
 * says: print( ) may not be applied to an aggregation
 */
BEGIN { @a = count(); print(@a); }
