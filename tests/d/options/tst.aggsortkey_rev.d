/* Descending by key. @@flags -q -x aggsortkey -x aggsortrev */
BEGIN
{
	@["a", 3] = sum(2); @["b", 2] = sum(1); @["c", 1] = sum(3);
	exit(0);
}
