# exit() is heard although the buffer overflows.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x bufsize=4k -n 'syscall::write:entry /pid == $target/ { printf("%s %d\n", "a line", n++); }' -n 'tick-200ms { exit(5); }' -c 'dd if=/dev/zero of=/dev/null bs=5 count=2000000 status=none'
ended 5
