/* The provider needs the number of a process. */
pid:::entry { exit(0); }
