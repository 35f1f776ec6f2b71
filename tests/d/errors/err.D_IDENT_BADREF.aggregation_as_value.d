/*
 * says: aggregation @a may only be used by an aggregation action
 */
BEGIN { @a = count(); x = @a; }
