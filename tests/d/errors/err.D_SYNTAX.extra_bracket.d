/*
 * says: extra ] in input stream
 */
BEGIN { x[1]]; }
