/* No first instruction of a function is one byte long there. */
/* @@trigger true */
pid$target:libc:usleep:1 { exit(0); }
