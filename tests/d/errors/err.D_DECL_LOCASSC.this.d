/*
 * says: associative arrays may not be declared as local variables: a
 */
this int a[int];
