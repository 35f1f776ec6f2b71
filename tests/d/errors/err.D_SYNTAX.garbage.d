/*
 * says: extra ) in input stream
 */
BEGIN { ) }
