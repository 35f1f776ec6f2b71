/*
 * says: format conversion #1 has more than one '*' specified for the output width
 */
BEGIN { printf("%**d", 1, 2, 3); }
