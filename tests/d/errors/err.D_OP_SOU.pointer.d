/*
 * says: operator -> cannot be applied to pointer to type "int"; must be applied to a struct or union pointer
 */
BEGIN { trace(((int *)0)->a); }
