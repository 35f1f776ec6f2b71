# fds[]: names, offsets and flags of open files; what is no file has none.
. "$(dirname "$0")/../cli/lib.bash"
mkdir -p "$dir/a/b"
echo 0123456789 > "$dir/a/b/file"
cat > "$dir/p.d" <<'D'
syscall::close:entry /pid == $target && fds[arg0].fi_name == "file"/ {
	printf("%s %s %d %x\n", fds[arg0].fi_pathname, fds[arg0].fi_name, fds[arg0].fi_offset, fds[arg0].fi_oflags & O_ACCMODE);
	printf("%s %s %s\n", fds[1000].fi_name, fds[-1].fi_name, fds[1000].fi_fs);
	exit(0);
}
D
run -qs "$dir/p.d" -c "cat $dir/a/b/file"
ended 0
prints "$dir/a/b/file file 11 0
<none> <none> <none>"
run -qn 'BEGIN { printf("%s %s", fds[0].fi_dirname, fds[0].fi_pathname); exit(0); }'
ended 0
prints '/dev /dev/null'
run -qn 'BEGIN { printf("%s", fds[1000].fi_pathname); exit(0); }'
printed '<none>'
"$DTRACE" -qn 'BEGIN { printf("%s", fds[0].fi_pathname); exit(0); }' > "$dir/o" < <(sleep 3)
[ "$(cat "$dir/o")" = "<unknown>" ] || fail "a pipe is $(cat "$dir/o")"
