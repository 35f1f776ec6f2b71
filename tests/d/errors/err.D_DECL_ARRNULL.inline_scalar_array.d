/*
 * says: inline declaration cannot be of scalar array type: a
 */
inline int a[3] = 1;
