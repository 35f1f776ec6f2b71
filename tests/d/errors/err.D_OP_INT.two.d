/*
 * says: operator % requires operands of integral type
 */
BEGIN { trace("a" % 2); }
