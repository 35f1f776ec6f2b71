# freopen() appends to another file, from where it stands; "" is standard output again; failure is a fault.
. "$(dirname "$0")/lib.bash"
echo old > "$dir/file7"
run -wqn "BEGIN { printf(\"one\\n\"); freopen(\"$dir/file%d\", 7); printf(\"two\\n\"); freopen(\"\"); printf(\"three\\n\"); exit(0); }"
ended 0
printed 'one
three'
[ "$(cat "$dir/file7")" = 'old
two' ] || fail "$(cat "$dir/file7")"
run -wqn 'BEGIN { freopen("/no/such/dir/file"); printf("still\n"); exit(0); }'
ended 0
printed still
says 'couldn'\''t freopen() "/no/such/dir/file": No such file or directory'
