# Every record of 20,000 calls arrives, in order, none twice.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall::write:entry /pid == $target && arg2 == 5/ { printf("%d\n", n++); }' -c 'dd if=/dev/zero of=/dev/null bs=5 count=20000 status=none'
ended 0
said ''
[ "$(md5sum < "$dir/.out")" = "$(seq 0 19999 | cat - <(echo) | md5sum)" ] || fail "not 0 to 19999"
