/*
 * says: array dimension too big
 */
int a[0x7fffffffffff];
