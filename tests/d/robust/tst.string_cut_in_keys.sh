# Long strings of the traced are cut to strsize - 1, as keys, too.
. "$(dirname "$0")/../cli/lib.bash"
long=/tmp/$(printf '%0250d' 1)x
run -q -x strsize=20 -n 'syscall::chdir:entry /pid == $target/ { @[copyinstr(arg0)] = count(); printf("%d", strlen(copyinstr(arg0))); }' -c "sh -c 'cd $long 2>/dev/null'"
ended 0
[[ $out == 19* ]] || fail "not 19 bytes"
prints "  $(printf '%.19s' "$long")  "
