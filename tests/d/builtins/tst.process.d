/* Built-in variables in a system call.
 * @@flags -q
 * @@trigger sh -c 'echo hello world > /dev/null'
 */
syscall::write:entry
/pid == $target && arg0 == 1/
{
	printf("%d %d %d %s %s\n", pid == $target, tid == pid, ppid == $pid, execname, threadname);
	printf("%s %s %d %d %d\n", probefunc, probename, arg0, arg2, arg9);
	printf("%d %d %d %d\n", uid, gid, cpu >= 0, errno);
	exit(0);
}
