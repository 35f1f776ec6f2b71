/* There is no such process. */
pid2147483647:::entry { exit(0); }
