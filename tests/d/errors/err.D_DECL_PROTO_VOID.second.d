/*
 * says: void must be sole parameter
 */
int f(int, void);
