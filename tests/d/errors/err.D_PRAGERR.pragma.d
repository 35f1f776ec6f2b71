/*
 * says: this goes wrong
 */
#pragma error this goes wrong
BEGIN { trace(1); }
