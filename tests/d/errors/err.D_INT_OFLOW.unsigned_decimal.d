/*
 * says: integer constant 0xffffffffffffffff cannot be represented in any built-in integral type
 */
BEGIN { trace(18446744073709551615); }
