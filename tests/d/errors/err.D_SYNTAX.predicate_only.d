/*
 * says: expected actions { } following probe description and predicate
 */
BEGIN /1/
