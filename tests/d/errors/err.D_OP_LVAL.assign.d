/*
 * says: operator = requires modifiable lvalue as an operand
 */
BEGIN { 1 = 2; }
