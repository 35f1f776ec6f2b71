/*
 * says: printf( ) argument #1 is incompatible with prototype:
 */
BEGIN { x = "a"; printf(x); }
