/* After exit() only END fires. @@flags -q */
BEGIN
{
	printf("one ");
	exit(0);
}

tick-1ms
{
	printf("never");
}

END
{
	printf("end\n");
}
