/*
 * says: self->x has not yet been declared or assigned
 */
BEGIN { trace(self->x); }
