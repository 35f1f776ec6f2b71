/* @@flags -q
 * @@trigger sh -c 'exit 42'
 */
syscall::exit_group:entry
/pid == $target/
{
	printf("%d %d\n", arg0, args[0]);
}
