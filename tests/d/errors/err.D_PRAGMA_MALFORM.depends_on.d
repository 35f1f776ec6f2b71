/*
 * says: malformed #pragma depends_on <class> <name>
 */
#pragma D depends_on provider
BEGIN { trace(1); }
