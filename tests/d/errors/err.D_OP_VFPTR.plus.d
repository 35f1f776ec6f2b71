/*
 * says: operator + requires left-hand scalar operand of known size
 */
BEGIN { trace((void *)1 + 1); }
