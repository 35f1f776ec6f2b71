# A command that replaces itself is still the target.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall::execve:return /pid == $target/ { printf("%s\n", execname); }' -c 'sh -c "exec env true"'
ended 0
prints 'env
'
prints true
