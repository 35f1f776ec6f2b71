/*
 * says: syntax error near "]"
 */
BEGIN { @a[] = count(); }
