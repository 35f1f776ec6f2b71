/*
 * says: expected predicate and/or actions following probe description
 */
BEGIN
