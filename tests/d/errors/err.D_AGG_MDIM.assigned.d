/*
 * says: improper attempt to reference @a as a multi-dimensional array
 */
BEGIN { @a[1][2] = count(); }
