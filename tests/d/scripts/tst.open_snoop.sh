# Opens, with path, result and error, for one command: a table.
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/open.d" <<'D'
#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-16s %4s %4s %s\n", "COMM", "FD", "ERR", "PATH");
}

syscall::openat:entry
/pid == $target/
{
	self->path = arg1;
}

syscall::openat:return
/self->path/
{
	printf("%-16s %4d %4d %s\n", execname, (int)arg0, errno, copyinstr(self->path));
	self->path = 0;
}
D
run -s "$dir/open.d" -c 'cat /etc/hostname /no/such/file'
ended 0
[ "$(printf '%s\n' "$out" | grep -v '^[^ ]*$' | head -1)" = 'COMM               FD  ERR PATH' ] || fail header
printf '%s\n' "$out" | grep -Eqx 'cat +3 +0 /etc/hostname' || fail "the file"
printf '%s\n' "$out" | grep -Eqx 'cat +-1 +2 /no/such/file' || fail "the other file"
