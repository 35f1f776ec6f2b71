/* Every system call of a command returns as often as it begins, but for the last. @@flags -q
 * @@trigger true
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
	printf("%d\n", calls > 10 && calls - returns <= 1 && returns - calls <= 1);
	trunc(@n);
}
