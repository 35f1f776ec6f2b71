/* Integers in copied memory.
 * @@flags -q
 * @@trigger sh -c 'echo hello world > /dev/null'
 */
syscall::write:entry
/pid == $target && arg0 == 1/
{
	this->w = (uint32_t *)copyin(arg1, 8);
	printf("%x %x\n", this->w[0], this->w[1]);
	printf("%d\n", *(uint8_t *)copyin(arg1, 1));
	exit(0);
}
