/*
 * says: extraneous argument 'x' ($1 is not referenced)
 * @@args x
 */
BEGIN { trace(1); }
