/*
 * says: cannot take address of dynamic variable
 */
BEGIN { x = 1; trace(&x); }
