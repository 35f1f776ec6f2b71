# defaultargs: a missing $1 is 0, a missing $$1 is "".
. "$(dirname "$0")/lib.bash"
run -x defaultargs -qn 'BEGIN { printf("%d [%s] %d", $1, $$2, $3); exit(0); }' 5
ended 0
printed '5 [] 0'
printf '#pragma D option defaultargs\nBEGIN { printf("%%d", $1); exit(0); }' > "$dir/a.d"
run -qs "$dir/a.d"
ended 0
printed 0
