/* @@flags -q */
BEGIN
{
	x = 3;
	if (x == 3) {
		printf("three\n");
	} else {
		printf("other\n");
	}
	if (x > 5)
		printf("large\n");
	else
		printf("small\n");
	exit(0);
}
