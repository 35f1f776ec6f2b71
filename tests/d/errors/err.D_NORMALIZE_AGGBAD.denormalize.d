/*
 * says: undefined aggregation: @nope
 */
BEGIN { denormalize(@nope); }
