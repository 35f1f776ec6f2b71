/* @@flags -q
 * @@trigger grep -q nothing /etc/hostname
 */
syscall::openat:entry
/pid == $target && copyinstr(arg1) == "/etc/hostname"/
{
	printf("%s %s\n", execname, copyinstr(arg1));
}
