/*
 * says: #pragma attributes cannot modify entity defined outside program scope
 */
#pragma D attributes Stable/Stable/Common pid
BEGIN { trace(pid); }
