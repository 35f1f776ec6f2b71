/*
 * says: predicate result must be of scalar type
 */
BEGIN /"x"/ { trace(1); }
