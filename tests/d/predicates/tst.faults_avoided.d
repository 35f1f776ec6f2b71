/* What guards a division keeps it from being evaluated. @@flags -q */
BEGIN
{
	x = 0; this->y = x != 0 && 5 / x == 1; this->z = x == 0 ? 7 : 5 / x; printf("%d %d\n", this->y, this->z);
	exit(0);
}
