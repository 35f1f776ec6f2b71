#ident "says: /* encountered inside a comment"
/* a /* b */
BEGIN { trace(1); }
