/* Constants of the libraries, in expressions, predicates and declarations. @@flags -q */
inline int BOTH = O_CREAT | O_WRONLY;
BEGIN
/ENOENT == 2 && SIGKILL == 9/
{
	printf("%d %d %d %d %d\n", EAGAIN, EWOULDBLOCK, SIGTERM, BOTH, O_ACCMODE);
	printf("%d %d %d %d\n", SEEK_END, AT_FDCWD, B_READ | B_WRITE, TCP_STATE_LISTEN);
	printf("%s %s %s\n", tcp_state_string[TCP_STATE_ESTABLISHED], tcp_state_string[10], tcp_state_string[99]);
	printf("%d %d %d\n", sizeof (psinfo_t) > 0, CLD_EXITED, DTRACEFLT_DIVZERO);
	exit(0);
}
