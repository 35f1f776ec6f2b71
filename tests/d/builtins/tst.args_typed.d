/* Typed arguments of a system call.
 * @@flags -q
 * @@trigger sh -c 'echo hello world > /dev/null'
 */
syscall::write:entry
/pid == $target && arg0 == 1/
{
	printf("%d %d %d\n", args[0] == arg0, (uint64_t)args[1] == arg1, args[2]);
	exit(0);
}
