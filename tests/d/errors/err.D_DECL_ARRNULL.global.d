/*
 * says: array declaration requires array dimension or tuple signature: a
 */
int a[];
