/*
 * says: cannot apply sizeof to an operand of unknown size
 */
BEGIN { trace(sizeof(void)); }
