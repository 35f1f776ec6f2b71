/*
 * says: macro argument $$2 is not defined
 */
BEGIN { trace($$2); }
