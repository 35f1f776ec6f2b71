/*
 * says: operands have incompatible types: "int *" == "char *"
 */
BEGIN { trace((int *)1 == (char *)1); }
