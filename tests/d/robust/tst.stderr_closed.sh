# Standard error is closed or full: tracing goes on, its output is whole.
. "$(dirname "$0")/../cli/lib.bash"
out=$("$DTRACE" -n 'BEGIN { printf("whole\n"); exit(0); } END { x = *(int *)0; }' 2>&-)
status=$? what='2>&-'
ended 0
prints whole
out=$("$DTRACE" -n 'BEGIN { printf("whole\n"); exit(0); } END { x = *(int *)0; }' 2>/dev/full)
status=$? what='2>/dev/full'
ended 0
prints whole
