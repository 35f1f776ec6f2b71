/*
 * says: stack( ) size must be a non-zero positive integral constant expression
 */
BEGIN { stack(0); }
