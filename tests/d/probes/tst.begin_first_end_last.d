/* BEGIN fires before all others, END after them, whatever the order in the text. @@flags -q */
int began, early, n;

END
{
	printf("end %d\n", n > 0);
}

tick-1ms
{
	early += !began;
	n++;
}

tick-20ms
{
	exit(0);
}

BEGIN
{
	began = 1;
	printf("begin\n");
}

END
{
	printf("end again, %d early\n", early);
}
