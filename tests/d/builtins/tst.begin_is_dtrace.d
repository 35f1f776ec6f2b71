/* BEGIN fires in dtrace itself. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", pid == $pid, ppid == $ppid, uid == $uid, gid == $gid);
	printf("%s %d\n", execname, tid > 0);
	exit(0);
}
