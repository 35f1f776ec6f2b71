/*
 * says: malformed #pragma attributes <attributes> <ident>
 */
#pragma D attributes Stable/Stable/Common
BEGIN { trace(1); }
