# In a container, pid and $target are numbers of the same name space.
# @@needs unshare
. "$(dirname "$0")/../cli/lib.bash"
out=$(unshare -p -f --mount-proc "$DTRACE" -qn 'syscall::exit_group:entry /pid == $target/ { printf("%d", arg0); }' -c "sh -c 'exit 9'" 2>"$dir/.err")
status=$? err=$(cat "$dir/.err") what='dtrace in a pid namespace'
ended 0
printed 9
