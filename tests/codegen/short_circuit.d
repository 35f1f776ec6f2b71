/* golden: ir */
int a, b;
BEGIN { b = a && b || !a; }
