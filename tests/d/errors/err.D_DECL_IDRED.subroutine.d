/*
 * says: built-in identifier redeclared: strlen
 */
int strlen;
