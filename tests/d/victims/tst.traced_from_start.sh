# A command does nothing before tracing is enabled: its first calls are seen.
. "$(dirname "$0")/../cli/lib.bash"
echo text > "$dir/file"
run -qn 'syscall::openat:entry /pid == $target/ { printf("%s\n", copyinstr(arg1)); }' -c "cat $dir/file"
ended 0
prints text
prints "$dir/file"
prints 'ld.so.cache'
