# bufpolicy=ring with records of all lengths.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x cpu=0 -x bufpolicy=ring -b 4k -x strsize=512 -n '
	syscall::write:entry /pid == $target && arg2 >= 5 && arg2 < 500/ { printf("%s %d\n", copyinstr(arg1, arg2), ++n); }' \
	-c "taskset -c 0 bash -c 'for ((i = 0; i < 3000; i++)); do printf -v s \"%0\$((7 * i % 400 + 5))d\" \$i; printf \"%s\n\" \$s; done'"
ended 0
said ''
sum=$(grep -o ' [0-9]*$' "$dir/.out" | tr -d ' ')
count=$(wc -l <<<"$sum")
[ "$count" -ge 4 ] || fail "$count records"
[ "$sum" = "$(seq $((3001 - count)) 3000)" ] || fail 'the records are not the newest, in order'
