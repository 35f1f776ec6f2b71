/* at most 115 instructions */
int a;
BEGIN { trace(a / (a - 1)); }
