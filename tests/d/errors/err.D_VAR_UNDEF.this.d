/*
 * says: this->x has not yet been declared or assigned
 */
BEGIN { trace(this->x); }
