/* printa with a format, trunc, normalize, in END. @@flags -q
 * @@trigger dd if=/dev/zero of=/dev/null bs=4096 count=100 status=none
 */
syscall::read:return,
syscall::write:return
/pid == $target && arg0 == 4096/
{
	@bytes[execname, probefunc] = sum(arg0);
	@calls[execname, probefunc] = count();
}

END
{
	normalize(@bytes, 1024);
	printf("%-10s %-10s %8s %8s\n", "COMM", "CALL", "KBYTES", "CALLS");
	printa("%-10s %-10s %@8d %@8d\n", @bytes, @calls);
	trunc(@bytes);
	clear(@calls);
	printa("%s %s %@d\n", @calls);
}
