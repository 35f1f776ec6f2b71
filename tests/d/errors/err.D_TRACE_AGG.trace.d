/*
 * says: trace( ) may not be applied to an aggregation -- did you mean printa()?
 */
BEGIN { @a = count(); trace(@a); }
