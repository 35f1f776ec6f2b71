/* A return address that the program keeps must stay. */
/* @@trigger true */
pid$target:libc:_setjmp:return { exit(0); }
