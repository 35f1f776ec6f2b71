/*
 * says: normalize( ) argument #2 must be of scalar type
 */
BEGIN { @a = count(); normalize(@a, "x"); }
