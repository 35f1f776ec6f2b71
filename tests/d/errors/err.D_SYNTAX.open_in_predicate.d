/*
 * says: closing ) expected in predicate before /
 */
BEGIN /(1/ { trace(1); }
