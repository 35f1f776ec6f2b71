/*
 * says: operator ! requires an operand of scalar type
 */
BEGIN { trace(!"a"); }
