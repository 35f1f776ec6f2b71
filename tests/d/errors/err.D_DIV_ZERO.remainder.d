/*
 * says: expression contains division by zero
 */
BEGIN { trace(1 % 0); }
