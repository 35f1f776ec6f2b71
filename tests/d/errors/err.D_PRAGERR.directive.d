/*
 * says: #error: this goes wrong
 */
#error this goes wrong
BEGIN { trace(1); }
