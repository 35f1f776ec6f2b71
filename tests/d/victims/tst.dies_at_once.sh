# A command that ends in its first instant does not hang or lose anything.
. "$(dirname "$0")/../cli/lib.bash"
for _ in 1 2 3 4 5; do
    run -qn 'syscall::exit_group:entry /pid == $target/ { printf("%d", arg0); }' -c 'sh -c "exit 9"'
    ended 0
    printed 9
done
run -qn END -c 'sh -c "kill -9 $$"'
ended 0
