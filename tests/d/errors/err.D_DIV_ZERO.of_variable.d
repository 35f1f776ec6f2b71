/*
 * says: expression contains division by zero
 */
BEGIN { trace(pid / (1 - 1)); }
