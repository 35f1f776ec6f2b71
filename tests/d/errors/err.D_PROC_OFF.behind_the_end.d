/* Functions are not that long. */
/* @@trigger true */
pid$target:libc:usleep:ffffff { exit(0); }
