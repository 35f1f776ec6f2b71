/*
 * says: index 100 is out of range for 
 * says: args[ ]
 */
sdt:sched::sched_switch { trace(args[100]); }
