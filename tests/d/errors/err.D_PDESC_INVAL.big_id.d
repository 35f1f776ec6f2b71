/*
 * says: identifier 4294967296 exceeds maximum probe id
 */
4294967296 { trace(1); }
