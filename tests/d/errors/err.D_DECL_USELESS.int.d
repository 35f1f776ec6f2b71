/*
 * says: useless declaration
 */
int;
