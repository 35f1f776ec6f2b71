/*
 * says: freopen( ) argument #1 cannot be "."
 * @@flags -w
 */
BEGIN { freopen("."); }
