/*
 * says: cannot declare array of void
 */
void a[3];
