/* Absolute addresses are those of the process. */
/* @@trigger true */
pid$target:libc:-:1000 { exit(0); }
