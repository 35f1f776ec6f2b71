/* More records than a small buffer holds between two reads. @@flags -q -x bufsize=4k -x switchrate=1s
 * @@trigger dd if=/dev/zero of=/dev/null bs=5 count=30000 status=none
 */
syscall::write:entry
/pid == $target/
{
	printf("%s %s %d\n", execname, probefunc, arg2);
}
