/*
 * says: operands have incompatible types: "int" = "string"
 */
BEGIN { x = 1; x = "a"; }
