# Scripts name their interpreter, with flags.
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
printf '#!%s -qs\nBEGIN { printf("%%s %%d", $$0 == "" ? "no" : "yes", $1); exit(0); }\n' "$DTRACE" > "$dir/a.d"
printf '#!%s -x quiet -s\nBEGIN { printf("%%d", $1); exit(0); }\n' "$DTRACE" > "$dir/b.d"
chmod +x "$dir"/*.d
[ "$("$dir/a.d" 7)" = "yes 7" ] && [ "$("$dir/b.d" 8)" = "8" ] || { "$dir/a.d" 7; "$dir/b.d" 8; exit 1; }
