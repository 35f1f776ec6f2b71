/*
 * says: malformed #line <line> [ ["file"] state ]
 */
#line x
BEGIN { trace(1); }
