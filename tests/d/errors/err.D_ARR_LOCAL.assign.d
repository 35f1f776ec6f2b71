/*
 * says: local variables may not be used as associative arrays: 
 */
BEGIN { this->a[1] = 2; }
