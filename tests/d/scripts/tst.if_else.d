/* if and else, nested, with and without braces. @@flags -q */
int i;

tick-1ms
/i < 6/
{
	if (i == 0)
		printf("zero ");
	else if (i < 3) {
		if (i % 2)
			printf("%d odd ", i);
		else {
			printf("%d even ", i);
		}
	} else
		printf("%d ", i);
	i++;
}

tick-1ms
/i == 6/
{
	exit(0);
}
