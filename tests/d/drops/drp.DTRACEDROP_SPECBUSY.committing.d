/* So large speculations have two slots each: the third in a row finds both unread. @@flags -q -x specsize=2m */
BEGIN
{
	i = speculation();
	commit(i);
}

BEGIN
{
	i = speculation();
	commit(i);
}

BEGIN
{
	i = speculation();
	exit(0);
}
