/*
 * says: undefined aggregation: @nope
 */
BEGIN { trunc(@nope); }
