/*
 * says: extra } in input stream
 */
BEGIN { trace(1); } }
