/*
 * says: void parameter may not have a name: x
 */
int f(void x);
