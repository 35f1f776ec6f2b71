/*
 * says: Undefined macro variable in probe description
 */
syscall::$nonsense:entry { trace(1); }
