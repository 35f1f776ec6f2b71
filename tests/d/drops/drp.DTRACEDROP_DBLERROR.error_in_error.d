/* A fault in an ERROR clause. @@flags -q */
ERROR
{
	trace(*(int *)16);
}

BEGIN
{
	trace(*(int *)8);
}

BEGIN
{
	exit(0);
}
