/* @@flags -q
 * @@trigger sh -c 'cd /usr; cd /usr/bin'
 */
syscall::chdir:entry
/pid == $target/
{
	printf("%s %s\n", copyinstr(arg0), stringof(copyinstr(arg0, 3)));
}
