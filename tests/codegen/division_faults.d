/* at most 130 instructions */
int a;
BEGIN { trace(a / (a - 1)); }
