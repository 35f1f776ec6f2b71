/*
 * says: sum( ) argument #1 must be of scalar type
 */
BEGIN { @a = sum("x"); }
