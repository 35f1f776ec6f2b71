# A predicate without a body is a syntax error, in text and in files; a probe alone is one only in files.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -en 'BEGIN /1/'
ended 1
one_line
says 'dtrace: invalid probe specifier BEGIN /1/: '
says 'expected actions { } following probe description and predicate'
run -en BEGIN
ended 0
echo BEGIN > "$dir/a.d"
run -es "$dir/a.d"
ended 1
says 'expected predicate and/or actions following probe description'
run -e -x pspec -s "$dir/a.d"
ended 0
