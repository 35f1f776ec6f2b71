/*
 * says: operator -> must be applied to a pointer
 */
BEGIN { trace(pid->x); }
