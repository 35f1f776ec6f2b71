/* curlwpsinfo: the thread that fires the probe runs, on this CPU. @@trigger echo hello */
#pragma D option quiet
syscall::write:entry
/pid == $target/
{
	exit(curlwpsinfo->pr_lwpid == tid && curlwpsinfo->pr_onpro == cpu && curlwpsinfo->pr_state == SONPROC &&
	    curlwpsinfo->pr_sname == 'O' && curlwpsinfo->pr_addr == (uintptr_t)curthread &&
	    curlwpsinfo->pr_clname == "TS" && curlwpsinfo->pr_name == "echo" ? 0 : 1);
}
