# $1: integer if it scans as one, identifier if it is one, else a string; $$1 always a string; $0 the script.
. "$(dirname "$0")/lib.bash"
run -qn 'BEGIN { printf("%d %d %d %d", $1, $2, $3, $4); exit(0); }' 42 +7 0x10 010
ended 0
printed '42 7 16 8'
run -qn 'BEGIN { printf("%s %s", $1, $2); exit(0); }' /tmp foo.c
ended 0
printed '/tmp foo.c'
run -qn 'BEGIN { foo = 9; printf("%d", $1); exit(0); }' foo
ended 0
printed 9
run -qn 'BEGIN { printf("%s|%s|%s", $$1, $$2, $$3); exit(0); }' 42 foo 'a b'
ended 0
printed '42|foo|a b'
run -qn 'BEGIN { printf("%s", $1); exit(0); }' '"quoted\tx"'
ended 0
printed 'quoted	x'
printf 'BEGIN { printf("%%s", $$0); exit(0); }' > "$dir/a.d"
run -qs "$dir/a.d"
ended 0
printed "$dir/a.d"
