/*
 * says: invalid probe description "a:b:c:d:e": Overspecified probe description
 */
a:b:c:d:e { trace(1); }
