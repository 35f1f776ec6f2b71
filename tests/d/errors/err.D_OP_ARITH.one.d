/*
 * says: operator - requires an operand of arithmetic type
 */
BEGIN { trace(-"a"); }
