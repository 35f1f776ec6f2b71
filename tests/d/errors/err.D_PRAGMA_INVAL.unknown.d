/*
 * says: invalid D pragma: nonsense
 */
#pragma D nonsense
BEGIN { trace(1); }
