/* A doubled % is one. @@flags -q */
BEGIN
{
	printf("100%%\n");
	printf("%d%% %s%%\n", 5, "x");
	exit(0);
}
