/*
 * says: undefined function name: print
 * @@flags -x version=1.8
 */
BEGIN { print(1); }
