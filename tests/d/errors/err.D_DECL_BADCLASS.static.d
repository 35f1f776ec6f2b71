/*
 * says: specified storage class not appropriate in D
 */
static int x;
