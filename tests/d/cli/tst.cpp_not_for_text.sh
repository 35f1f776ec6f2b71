# -C is for files; text of -n is not preprocessed. Without -C, its flags do nothing.
# @@needs cpp
. "$(dirname "$0")/lib.bash"
run -C -D exit=nonsense -qn 'BEGIN { exit(0); }'
ended 0
echo 'BEGIN { printf("%s", "X"); exit(0); }' > "$dir/a.d"
run -D X=Y -U Z -I /tmp -qs "$dir/a.d"
ended 0
printed X
