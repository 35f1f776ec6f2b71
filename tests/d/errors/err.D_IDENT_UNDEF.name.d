/*
 * says: failed to resolve nonsense: Unknown variable name
 */
BEGIN { trace(nonsense); }
