# bufpolicy=fill: tracing ends when a buffer is full; the first records are there, without a gap, and END has room.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x cpu=0 -x bufpolicy=fill -b 4k -n '
	syscall::write:entry /pid == $target && arg2 == 5/ { printf("%d\n", ++n); }
	END { printf("END %d\n", n); }' -c 'taskset -c 0 dd if=/dev/zero of=/dev/null bs=5 status=none'
ended 0
said ''
numbers=$(grep -v '[^0-9]' <<<"$out" | grep .)
count=$(wc -l <<<"$numbers")
[ "$count" -ge 100 ] && [ "$count" -le 256 ] || fail "$count records"
[ "$numbers" = "$(seq "$count")" ] || fail 'the records are not the first, in order'
last=$(tail -n 2 "$dir/.out" | grep .)
[[ $last == END\ * ]] && [ "${last#END }" -gt "$count" ] || fail "END is not last: $last"
