/*
 * says: undefined aggregation: @nope
 */
BEGIN { clear(@nope); }
