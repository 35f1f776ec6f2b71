/*
 * says: only one storage class allowed in a declaration
 */
self this int x;
