# A library that does not compile is named, with its line.
. "$(dirname "$0")/lib.bash"
mkdir "$dir/bad"
printf 'inline int A = 1;\ninline int B = nonsense;\n' > "$dir/bad/x.d"
run -L "$dir/bad" -en 'BEGIN { }'
ended 1
says "$dir/bad/x.d"
says 'line 2: failed to resolve nonsense: Unknown variable name'
one_line
