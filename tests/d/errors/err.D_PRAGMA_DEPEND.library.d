/*
 * says: main program may not explicitly depend on a library
 */
#pragma D depends_on library nosuch.d
BEGIN { trace(1); }
