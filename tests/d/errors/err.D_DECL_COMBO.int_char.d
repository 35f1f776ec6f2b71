/*
 * says: invalid type combination
 */
int char x;
