/*
 * says: index 1 is out of range for 
 * says: args[ ]
 */
syscall::close:entry { trace(args[1]); }
