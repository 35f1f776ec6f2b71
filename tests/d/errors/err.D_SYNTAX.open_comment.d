#ident "says: end-of-file encountered before matching */"
BEGIN { trace(1); }
/* never ends
