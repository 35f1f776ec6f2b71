/*
 * says: cannot access x as an associative array
 */
BEGIN { x = 1; x[1] = 2; }
