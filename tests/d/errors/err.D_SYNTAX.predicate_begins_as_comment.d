#ident "says: end-of-file encountered before matching */"
int *p;
BEGIN /*p == 1/ { trace(1); }
