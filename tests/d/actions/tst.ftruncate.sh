# ftruncate() empties the output file.
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
"$DTRACE" -qwo "$dir/out" -n 'BEGIN { printf("one\n"); ftruncate(); printf("two\n"); exit(0); }'
[ "$(cat "$dir/out")" = 'two' ] || { cat "$dir/out"; exit 1; }
