# bufpolicy=ring: nothing is lost that is new, and the records come out in order when tracing ends, those of END last.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x cpu=0 -x bufpolicy=ring -b 4k -n '
	BEGIN { printf("the oldest\n"); }
	syscall::write:entry /pid == $target && arg2 == 5/ { printf("%d\n", ++n); }
	END { printf("END %d\n", n); }' -c 'taskset -c 0 dd if=/dev/zero of=/dev/null bs=5 count=30000 status=none'
ended 0
said ''
[[ $out != *oldest* ]] || fail 'the oldest record survived'
[[ $out == *'
END 30000'* ]] || fail 'END is not last'
numbers=$(grep -v '[^0-9]' <<<"$out" | grep .)
count=$(wc -l <<<"$numbers")
# An entry takes 32 bytes here: header of the entry, header of the record, the number.
[ "$count" -ge 100 ] && [ "$count" -le 256 ] || fail "$count records"
[ "$numbers" = "$(seq $((30001 - count)) 30000)" ] || fail 'the records are not the newest, in order'
