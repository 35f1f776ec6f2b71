/*
 * says: trunc( ) argument #2 must be of scalar type
 */
BEGIN { @a = count(); trunc(@a, "x"); }
