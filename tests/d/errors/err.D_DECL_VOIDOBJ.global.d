/*
 * says: cannot have void object: x
 */
void x;
