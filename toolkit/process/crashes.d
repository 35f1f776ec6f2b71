#!/usr/sbin/dtrace -s
/*
 * crashes.d: which programs crash, and where in their code?
 *
 * Usage: crashes.d [-p PID | -c COMMAND]
 *
 * Signals that the kernel sends because of what an instruction did (SIGSEGV 11, SIGBUS 7, SIGFPE 8, SIGILL 4, SIGTRAP
 * 5), and abort(3) (SIGABRT 6). A program that handles the signal shows too. With -p or -c: only that process and its
 * descendants.
 *
 * Output: when, the process, its command, the signal, the address that it could not use (0 for SIGABRT), and the stack
 * of the program.
 */

#pragma D option quiet
#pragma D option switchrate=10hz

inline int WANTED = $target == 0 || progenyof($target);

BEGIN
{
	printf("Tracing crashes. End with Ctrl-C.\n");
}

proc:::fault
/WANTED/
{
	printf("%Y %s (%d): signal %d, address 0x%x", walltimestamp, execname, pid, args[1]->si_signo,
	    args[1]->si_addr);
	ustack();
}

proc:::signal-send
/WANTED && args[2] == SIGABRT && args[1]->pr_pid == pid/
{
	printf("%Y %s (%d): signal %d, address 0x0", walltimestamp, execname, pid, args[2]);
	ustack();
}
