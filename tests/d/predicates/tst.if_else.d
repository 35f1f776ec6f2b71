/* Conditions inside a clause, nested, with and without braces. @@flags -q */
BEGIN
{
	x = 5;
	if (x > 3)
		if (x > 10)
			printf("a");
		else
			printf("b");
	if (x == 1) {
		printf("c");
	} else if (x == 5) {
		printf("d");
		y = 1;
	} else {
		printf("e");
	}
	if (y) { } else
		printf("f");
	if (!y)
		printf("g");
	printf("h");
	if (x && y) {
		@ = sum(2);
		if (x == 5)
			@ = sum(3);
	} else
		@ = sum(100);
	printa(" %@d\n", @);
	exit(0);
}
