/*
 * says: constant 0128 contains invalid digit 8
 */
BEGIN { trace(0128); }
