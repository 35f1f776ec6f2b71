/* pr_syscall: the system call that the thread is in.
   @@args 1 3
   @@trigger echo hello
*/
#pragma D option quiet
syscall::write:entry, syscall::close:entry
/pid == $target && curlwpsinfo->pr_syscall != (probefunc == "write" ? $1 : $2)/
{
	printf("%s: %d\n", probefunc, curlwpsinfo->pr_syscall);
	exit(1);
}

