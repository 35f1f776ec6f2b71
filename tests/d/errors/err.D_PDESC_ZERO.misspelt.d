syscall::raed:entry { }
