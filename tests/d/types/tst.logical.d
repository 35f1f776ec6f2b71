/* Logical operators give 0 or 1. @@flags -q */
BEGIN
{
	this->t = 5; this->f = 0;
	printf("%d %d %d %d\n", this->t && this->f, this->t && this->t, this->t || this->f, this->f || this->f);
	printf("%d %d %d %d\n", this->t ^^ this->f, this->t ^^ this->t, !this->t, !this->f);
	printf("%d %d %d\n", !!this->t, 5 && 3, 5 ^^ 3);
	exit(0);
}
