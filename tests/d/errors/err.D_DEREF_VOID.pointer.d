/*
 * says: cannot dereference pointer to void
 */
BEGIN { trace(*(void *)0); }
