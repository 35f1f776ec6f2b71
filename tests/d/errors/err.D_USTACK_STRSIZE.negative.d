/*
 * says: ustack( ) argument #2 must be a positive integer constant
 */
BEGIN { ustack(1, -1); }
