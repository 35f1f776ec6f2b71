/*
 * says: operands have incompatible types: "int" == "string"
 */
BEGIN { trace(1 == "a"); }
