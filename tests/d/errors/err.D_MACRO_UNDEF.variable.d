/*
 * says: macro variable $nonsense is not defined
 */
BEGIN { trace($nonsense); }
