/*
 * says: cannot take address of dynamic variable
 */
BEGIN { self->x = 1; trace(&self->x); }
