# Libraries are compiled after those they depend on; one whose need is not met is left out silently.
. "$(dirname "$0")/lib.bash"
mkdir "$dir/lib" "$dir/unmet"
echo 'inline int FORTY_TWO = 42;' > "$dir/lib/b.d"
printf '#pragma D depends_on library b.d\ninline int MORE = FORTY_TWO + 1;\n' > "$dir/lib/a.d"
run -L "$dir/lib" -qn 'BEGIN { printf("%d", MORE); exit(0); }'
ended 0
printed 43
printf '#pragma D depends_on provider nosuch\ninline int A = nonsense;\n' > "$dir/unmet/x.d"
run -L "$dir/unmet" -qn 'BEGIN { exit(0); }'
ended 0
said ''
