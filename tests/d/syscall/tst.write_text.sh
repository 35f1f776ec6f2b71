# The bytes of a write, by copyin and stringof.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall::write:entry /pid == $target/ { printf("[%s] %d %c\n", stringof(copyin(arg1, arg2)), arg2, *(char *)copyin(arg1, 1)); }' -c "sh -c 'echo hello >/dev/null'"
ended 0
printed '[hello
] 6 h'
