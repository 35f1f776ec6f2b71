/*
 * says: floating-point constants are not permitted
 */
BEGIN { trace(1.5); }
