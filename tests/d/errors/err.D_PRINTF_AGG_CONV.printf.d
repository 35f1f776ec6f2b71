/*
 * says: %@ conversion requires an aggregation and is not for use with printf( )
 */
BEGIN { printf("%@d", 1); }
