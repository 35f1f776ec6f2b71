/*
 * says: a has not yet been declared or assigned
 */
BEGIN { trace(a[1]); }
