/* Bytes of the process into scratch memory.
 * @@flags -q
 * @@trigger sh -c 'echo hello world > /dev/null'
 */
syscall::write:entry
/pid == $target && arg0 == 1/
{
	this->p = (char *)alloca(8);
	this->p[5] = '\0';
	copyinto(arg1, 5, this->p);
	printf("%s ", stringof(this->p));
	copyinto(arg1 + 6, 2, this->p + 1);
	printf("%s\n", stringof(this->p));
	exit(0);
}
