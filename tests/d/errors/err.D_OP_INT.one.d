/*
 * says: operator ~ requires an operand of integral type
 */
BEGIN { trace(~"a"); }
