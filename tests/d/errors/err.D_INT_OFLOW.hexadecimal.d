/*
 * says: constant 0x10000000000000000 results in integer overflow
 */
BEGIN { trace(0x10000000000000000); }
