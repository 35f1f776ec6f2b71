# A library that does not compile harms only who uses what it defines.
. "$(dirname "$0")/lib.bash"
mkdir "$dir/bad"
printf 'inline int A = 1;\ninline int B = nonsense;\n' > "$dir/bad/x.d"
run -L "$dir/bad" -en 'BEGIN { trace(A); }'
ended 0
run -L "$dir/bad" -en 'BEGIN { trace(B); }'
ended 1
says 'failed to resolve B: Unknown variable name'
one_line
