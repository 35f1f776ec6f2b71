/* Bytes of the process.
 * @@flags -q
 * @@trigger sh -c 'echo hello world > /dev/null'
 */
syscall::write:entry
/pid == $target && arg0 == 1/
{
	this->p = (char *)copyin(arg1, 5);
	this->p[4] = '\0';
	printf("%s %c %d\n", stringof(this->p), this->p[1], arg2);
	tracemem(copyin(arg1 + 6, 5), 5);
	exit(0);
}
