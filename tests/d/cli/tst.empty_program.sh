# An empty program is an error, unless -x empty.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
: > "$dir/a.d"
run -es "$dir/a.d"
ended 1
says 'empty D program translation unit'
one_line
run -e -x empty -s "$dir/a.d"
ended 0
