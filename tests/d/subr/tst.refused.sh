# What Linux has not is refused by name, with the reason.
. "$(dirname "$0")/../cli/lib.bash"
while read -r call; do
    run -e -n "BEGIN { $call; }"
    ended 1
    one_line
    name=${call%%(*}
    says "${name##* }"
done <<'X'
trace(ddi_pathname(curthread, 1))
trace(memref(curthread, 1))
trace(memstr((char *)curthread, 1, 1))
trace(msgdsize((void *)0))
trace(msgsize((void *)0))
printm(1, (uintptr_t *)0)
X
