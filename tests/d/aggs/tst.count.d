/* count() counts; what is left is printed at the end. @@flags -q */
BEGIN
{
	@ = count(); @ = count(); @ = count();
	exit(0);
}
