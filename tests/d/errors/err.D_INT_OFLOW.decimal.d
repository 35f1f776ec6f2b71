/*
 * says: constant 99999999999999999999 results in integer overflow
 */
BEGIN { trace(99999999999999999999); }
