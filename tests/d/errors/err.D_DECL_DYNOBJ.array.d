/*
 * says: cannot declare array of associative arrays
 */
int a[3][int];
