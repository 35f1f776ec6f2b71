/* At most so many characters.
 * @@flags -q
 * @@trigger sh -c 'echo hello world > /dev/null'
 */
syscall::write:entry
/pid == $target && arg0 == 1/
{
	printf("[%s] [%s] %d\n", copyinstr(arg1, 5), copyinstr(arg1 + 6, 3), strlen(copyinstr(arg1, 8)));
	exit(0);
}
