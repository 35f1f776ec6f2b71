/*
 * says: specified storage class not appropriate for inline declaration
 */
inline self int x = 1;
