/* The depth of the kernel stack; a caller.
 * @@flags -q
 * @@trigger sh -c 'echo hello world > /dev/null'
 */
syscall::write:entry
/pid == $target && arg0 == 1/
{
	printf("%d %d\n", stackdepth > 0 && stackdepth < 128, caller != 0 || stackdepth == 1);
	exit(0);
}
