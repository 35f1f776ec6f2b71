/*
 * says: invalid version string specified by #pragma binding
 */
int x;
#pragma D binding "new" x
BEGIN { trace(x); }
