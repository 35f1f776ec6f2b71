/*
 * says: cannot dereference non-pointer type
 */
BEGIN { trace(*pid); }
