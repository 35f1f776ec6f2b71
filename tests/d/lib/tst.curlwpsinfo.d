/* curlwpsinfo: the thread that fires the probe runs, on this CPU. @@trigger echo hello */
#pragma D option quiet
syscall::write:entry
/pid == $target/
{
	printf("%d %d %d %c %d %s %s\n", curlwpsinfo->pr_lwpid == tid, curlwpsinfo->pr_onpro == cpu,
	    curlwpsinfo->pr_state == SONPROC, curlwpsinfo->pr_sname, curlwpsinfo->pr_addr == (uintptr_t)curthread,
	    curlwpsinfo->pr_clname, curlwpsinfo->pr_name);
	exit(0);
}
