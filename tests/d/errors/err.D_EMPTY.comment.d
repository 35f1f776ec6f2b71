/*
 * nothing here
 * says: empty D program translation unit
 */
