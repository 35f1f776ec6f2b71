# The preprocessor fails, or is missing: its word, then ours, and status 1.
# @@needs cpp
. "$(dirname "$0")/lib.bash"
echo '#include <no/such/file.h>' > "$dir/a.d"
run -C -es "$dir/a.d"
ended 1
says 'no/such/file.h'
says "dtrace: failed to compile script $dir/a.d: Preprocessor failed to process input program"
echo 'BEGIN { }' > "$dir/b.d"
run -C -x cpppath=/no/such/cpp -es "$dir/b.d"
ended 1
one_line
says 'Preprocessor not found'
