/*
 * says: prototype may not use a variable-length argument list
 */
int a[int, ...];
