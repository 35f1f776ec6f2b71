/*
 * says: inappropriate storage class for function or associative array parameter
 */
int a[static int];
