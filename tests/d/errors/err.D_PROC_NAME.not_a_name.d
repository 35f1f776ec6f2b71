/* Names are entry, return and offsets. */
/* @@trigger true */
pid$target:a.out:main:enter { exit(0); }
