/*
 * says: aggregation redefined: @a
 * says: 	 current: @a = sum( )
 * says: 	previous: @a = count( ) : line 6
 */
BEGIN { @a = count(); @a = sum(1); }
