/* id is that of the probe, epid that of the enabling. @@flags -q */
BEGIN { a = epid; printf("%d\n", id); }
BEGIN { printf("%d %d\n", id, epid != a); exit(0); }
END { printf("%d\n", id); }
