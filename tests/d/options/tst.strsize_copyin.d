/* Strings of the process are cut, too.
 * @@flags -q -x strsize=6
 * @@trigger sh -c 'cat /etc/hostname > /dev/null'
 */
syscall::openat:entry
/progenyof($target) && strstr(copyinstr(arg1), "/etc") != NULL/
{
	printf("[%s]\n", copyinstr(arg1));
	exit(0);
}
