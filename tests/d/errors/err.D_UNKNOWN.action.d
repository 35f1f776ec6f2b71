/*
 * says: tracing function breakpoint( ) is not yet supported
 * @@flags -w
 */
BEGIN { breakpoint(); }
