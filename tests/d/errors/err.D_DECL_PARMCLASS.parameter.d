/*
 * says: inappropriate storage class for function or associative array parameter
 */
int f(static int);
