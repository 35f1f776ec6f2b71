# Temporaries of one statement do not use up the stack or the scratch space of the others.
. "$(dirname "$0")/../cli/lib.bash"
many() { for i in $(seq "$1"); do printf '%s\n' "${2//#/$i}"; done; }
many 60 'BEGIN { x# = strjoin(execname, "#"); }' > "$dir/a.d"
echo 'BEGIN { printf("%s", x60); exit(0); }' >> "$dir/a.d"
run -qs "$dir/a.d"
ended 0
printed dtrace60
many 60 'BEGIN { self->x# = execname; }' > "$dir/b.d"
echo 'BEGIN { printf("%s", self->x60); exit(0); }' >> "$dir/b.d"
run -qs "$dir/b.d"
ended 0
printed dtrace
(echo 'BEGIN {'; many 200 'x = strjoin(execname, "#");'; echo 'printf("%s", x); exit(0); }') > "$dir/c.d"
run -qs "$dir/c.d"
ended 0
printed dtrace200
