/*
 * says: probe description syscall::raed:entry does not match any probes
 */
syscall::raed:entry { trace(1); }
