/* The sum of avg() is divided, then by the count; the last factor counts. @@flags -q */
BEGIN
{
	@ = avg(100);
	@ = avg(200);
	normalize(@, 3);
	printa("%@d ", @);
	normalize(@, 4);
	printa("%@d", @);
	exit(0);
}
