/* More speculations than there are. @@flags -q */
BEGIN
{
	i = speculation();
	j = speculation();
	k = speculation();
	printf("%d %d %d\n", i, j, k);
	exit(0);
}
