# The raw tracepoint of system calls and the syscall provider agree.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'BEGIN { a = 0; b = 0; } sdt:raw_syscalls::sys_enter /pid == $target/ { a++; } syscall:::entry /pid == $target/ { b++; } END { printf("%d %d", a - b, a > 20); }' -c 'ls /usr'
ended 0
[[ $out == *'
0 1'* ]] || fail "they differ"
