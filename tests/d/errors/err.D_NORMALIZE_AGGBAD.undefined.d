/*
 * says: undefined aggregation: @nope
 */
BEGIN { normalize(@nope, 2); }
