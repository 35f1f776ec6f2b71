/* at most 90 instructions */
BEGIN { a[pid] = timestamp; a[pid] = 0; }
