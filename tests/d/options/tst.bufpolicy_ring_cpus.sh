# bufpolicy=ring: the buffers of all CPUs are merged by time, and each record is whole.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x bufpolicy=ring -b 16k -n 'syscall:::entry { printf("%d %d %s\n", timestamp, cpu, probefunc); } tick-300ms { exit(0); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=5 status=none'
ended 0
[ -z "$(grep -v '^[0-9]* [0-9]* [a-z0-9_]*$' "$dir/.out" | grep .)" ] || fail 'a broken line'
grep . "$dir/.out" | sort -snc -k1,1 || fail 'not in order'
[ "$(grep -c . "$dir/.out")" -ge 100 ] || fail 'few records'
