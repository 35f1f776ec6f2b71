/*
 * says: operator = can only be applied to a writable variable
 */
BEGIN { pid = 1; }
