/*
 * says: index 99 is out of range for 
 * says: args[ ]
 */
BEGIN { trace(args[99]); }
