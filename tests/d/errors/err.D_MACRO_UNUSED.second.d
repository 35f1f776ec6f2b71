/*
 * says: extraneous argument 'y' ($2 is not referenced)
 * @@args 1 y
 */
BEGIN { trace($1); }
