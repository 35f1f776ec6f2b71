/* %P names ports, %I hosts; what has no name is shown as it is. @@flags -q */
BEGIN
{
	printf("%P|%I\n", (uint16_t)64999, "no address");
	exit(0);
}
