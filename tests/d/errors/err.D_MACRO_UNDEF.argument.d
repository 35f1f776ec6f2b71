/*
 * says: macro argument $1 is not defined
 */
BEGIN { trace($1); }
