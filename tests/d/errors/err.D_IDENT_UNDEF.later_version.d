/*
 * says: failed to resolve x: 
 * @@flags -x version=1.2
 */
int x;
#pragma D binding "1.5" x
BEGIN { trace(x); }
