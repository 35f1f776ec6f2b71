# DTRACE_OPT_* set options before the command line.
out=$(DTRACE_OPT_QUIET=1 "$DTRACE" -n 'BEGIN { printf("x"); exit(0); }' 2>&1)
[ "$out" = "x" ] || { echo "$out"; exit 1; }
err=$(DTRACE_OPT_NONSENSE=1 "$DTRACE" -n BEGIN 2>&1) && exit 1
[ "$err" = "dtrace: failed to set option 'nonsense' from the environment: Invalid option name" ] || { echo "$err"; exit 1; }
