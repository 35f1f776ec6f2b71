/*
 * says: operator ++ requires an operand of known size
 */
void *p;
BEGIN { p++; }
