/* A function of a module that is named must exist. */
/* @@trigger true */
pid$target:libc:no_such_function:entry { exit(0); }
