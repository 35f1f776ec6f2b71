/*
 * says: failed to resolve 9nosuch`f: Unknown module name: 9nosuch
 */
BEGIN { trace((uint64_t)&9nosuch`f); }
