/*
 * says: program requires module nosuch
 */
#pragma D depends_on module nosuch
BEGIN { trace(1); }
