/*
 * says: invalid attributes specified by #pragma attributes
 */
int x;
#pragma D attributes Good/Good/Good x
BEGIN { trace(x); }
