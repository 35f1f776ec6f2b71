/*
 * says: failed to resolve y: Unknown variable name
 */
BEGIN { x = y + 1; }
END { y = 1; }
