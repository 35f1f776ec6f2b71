/*
 * says: unused #pragma attributes
 */
#pragma D attributes Stable/Stable/Common translator
BEGIN { trace(1); }
