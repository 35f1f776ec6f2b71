/*
 * says: program requires provider nosuch
 */
#pragma D depends_on provider nosuch
BEGIN { trace(1); }
