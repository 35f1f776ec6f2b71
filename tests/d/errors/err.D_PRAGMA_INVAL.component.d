/*
 * says: invalid component "nonsense" in attribute #pragma for provider syscall
 */
#pragma D attributes Stable/Stable/Common provider syscall nonsense
BEGIN { trace(1); }
