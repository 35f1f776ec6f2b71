/* Every system call of a command returns as often as it begins, but for the last. @@flags -q
 * @@trigger ls /
 */
syscall:::entry
/pid == $target/
{
	@n[probefunc] = sum(1);
	calls++;
}

syscall:::return
/pid == $target/
{
	returns++;
}

END
{
	printf("%d\n", calls > 20 && calls - returns <= 1 && returns - calls <= 1);
	trunc(@n);
}
