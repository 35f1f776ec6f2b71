# A command that cannot be run: one line, status 1, nothing is traced.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'BEGIN { printf("ran"); }' -c /no/such/command
ended 1
printed ''
one_line
said 'dtrace: failed to execute /no/such/command: No such file or directory'
run -qn 'BEGIN { printf("ran"); }' -c no-such-command-on-the-path
ended 1
said 'dtrace: failed to execute no-such-command-on-the-path: No such file or directory'
: > "$dir/file"
run -qn 'BEGIN { printf("ran"); }' -c "$dir/file"
ended 1
said "dtrace: failed to execute $dir/file: Permission denied"
run -qn BEGIN -c ''
[ "$status" != 0 ] || fail "an empty command is taken"
one_line
