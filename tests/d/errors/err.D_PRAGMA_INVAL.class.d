/*
 * says: invalid class galaxy specified by #pragma depends_on
 */
#pragma D depends_on galaxy far
BEGIN { trace(1); }
