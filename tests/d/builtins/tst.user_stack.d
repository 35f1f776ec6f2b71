/* The depth of the user stack; a caller.
 * @@flags -q
 * @@trigger sh -c 'echo hello world > /dev/null'
 */
syscall::write:entry
/pid == $target && arg0 == 1/
{
	printf("%d %d\n", ustackdepth > 0, ucaller != 0 || ustackdepth == 1);
	exit(0);
}
