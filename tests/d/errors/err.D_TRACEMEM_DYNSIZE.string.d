/*
 * says: tracemem ( ) dynamic size (argument #3) must be of scalar type
 */
BEGIN { tracemem(curthread, 4, "x"); }
