/* Arrays of characters are keys as text. @@flags -q */
BEGIN
{
	@[curthread->comm] = count(); @b[stringof(curthread->comm), 1] = count();
	exit(0);
}
