# A plain user: one line that says what is missing, status 1; compiling and listing work.
# @@needs setpriv
. "$(dirname "$0")/../cli/lib.bash"
cp "$DTRACE" "$dir/dtrace" && chmod 755 "$dir" "$dir/dtrace"
as_user() { what="plain user: $*"; setpriv --reuid=65534 --regid=65534 --clear-groups "$dir/dtrace" "$@" >"$dir/.out" 2>"$dir/.err" </dev/null; status=$?; out=$(cat "$dir/.out") err=$(cat "$dir/.err"); }
as_user -qn 'BEGIN { exit(0); }'
ended 1
one_line
says 'dtrace: '
says 'DTrace requires additional privileges'
as_user -qn 'syscall:::entry { @ = count(); }' -c 'touch /tmp/never'
ended 1
one_line
as_user -en 'syscall::read:entry { @[execname] = quantize(arg2); }'
ended 0
as_user -ln 'syscall::read:'
ended 0
as_user -V
ended 0
