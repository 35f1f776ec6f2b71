# -L adds a directory of libraries: every .d file in it is compiled before the program.
. "$(dirname "$0")/lib.bash"
mkdir "$dir/lib"
echo 'inline int FORTY_TWO = 42;' > "$dir/lib/a.d"
printf '#pragma D depends_on library a.d\ninline int MORE = FORTY_TWO + 1;\nstruct of_library { int x; };\n' > "$dir/lib/b.d"
echo 'this is no D' > "$dir/lib/notes.txt"
run -L "$dir/lib" -qn 'BEGIN { printf("%d %d %d", FORTY_TWO, MORE, sizeof (struct of_library)); exit(0); }'
ended 0
printed '42 43 4'
run -x libdir="$dir/lib" -qn 'BEGIN { printf("%d", MORE); exit(0); }'
ended 0
printed 43
run -L "$dir/lib" -x nolibs -qn 'BEGIN { printf("%d", MORE); exit(0); }'
ended 1
says 'failed to resolve MORE: Unknown variable name'
