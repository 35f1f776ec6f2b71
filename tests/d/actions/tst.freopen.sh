# freopen() moves the output to a file, and back.
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
echo old > "$dir/f1"
out=$("$DTRACE" -qwn 'BEGIN { printf("one "); freopen("%s/f%d", $1, 1); printf("two\n"); freopen(""); printf("three"); exit(0); }' "\"$dir\"")
[ "$out" = 'one three' ] && [ "$(cat "$dir/f1")" = 'old
two' ] || { echo "<$out>"; cat "$dir/f1"; exit 1; }
