/*
 * says: macro argument $1 constant 99999999999999999999 results in integer overflow
 * @@args 99999999999999999999
 */
BEGIN { trace($1); }
