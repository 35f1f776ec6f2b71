/*
 * says: format conversion #1 has more than one '.' specified
 */
BEGIN { printf("%1.2.3d", 1); }
