/*
 * says: malformed #pragma binding "version" <ident>
 */
#pragma D binding 1
BEGIN { trace(1); }
