/*
 * says: undefined aggregation: @nope
 */
BEGIN { printa(@nope); }
