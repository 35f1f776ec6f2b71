/*
 * says: malformed #pragma option <option>=<val>
 */
#pragma D option
BEGIN { trace(1); }
