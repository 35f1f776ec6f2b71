/*
 * says: printa( ) argument #2 is incompatible with prototype:
 */
BEGIN { printa("%@d", 1); }
