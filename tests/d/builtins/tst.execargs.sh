# The arguments of the process, with spaces between; kernel threads have none.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall::write:entry /pid == $target/ { printf("[%s]\n", execargs); }' -c 'echo one two three'
ended 0
prints '[echo one two three]'
run -x strsize=8 -qn 'syscall::write:entry /pid == $target && execargs == "echo on"/ { printf("[%s]\n", execargs); }' -c 'echo one two three'
prints '[echo on]'
