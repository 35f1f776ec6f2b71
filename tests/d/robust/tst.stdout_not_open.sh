# Started without standard output, what is recorded cannot be printed: one line, status 1.
. "$(dirname "$0")/../cli/lib.bash"
what='dtrace >&-'
"$DTRACE" -qn 'BEGIN { printf("x"); exit(0); }' 2>"$dir/.err" >&-
status=$? err=$(cat "$dir/.err") out=
ended 1
one_line
