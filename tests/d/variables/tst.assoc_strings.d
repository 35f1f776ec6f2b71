/* Elements that are strings. @@flags -q */
BEGIN
{
	a[1] = "one"; a[2] = "two";
	printf("%s %s [%s]\n", a[1], a[2], a[3]);
	a[1] = a[2]; a[2] = 0;
	printf("%s [%s] %d\n", a[1], a[2], a[2] == NULL);
	exit(0);
}
