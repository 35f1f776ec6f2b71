/* More elements than dynamic variable space has. @@flags -q -x dynvarsize=4k */
tick-1ms
{
	a[n++] = 1;
	a[n++] = 1;
	a[n++] = 1;
	a[n++] = 1;
	a[n++] = 1;
}

tick-1s
{
	exit(0);
}
