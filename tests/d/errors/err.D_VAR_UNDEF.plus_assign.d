/*
 * says: x has not yet been declared or assigned
 */
BEGIN { x += 1; }
