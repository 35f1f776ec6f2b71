/*
 * says: superfluous arguments specified for #pragma depends_on
 */
#pragma D depends_on provider syscall extra words
BEGIN { trace(1); }
