/* What is not needed is not evaluated; ^^ needs both. @@flags -q */
int a, b, c, d, e, f, g;

BEGIN
{
	this->f = 0; this->t = 1;
	r = this->f && ++a; r = this->t || ++b; r = this->t && ++c; r = this->f || ++d; r = this->f ^^ ++e; r = this->t ? ++f : ++g;
	printf("%d%d%d%d%d%d%d\n", a, b, c, d, e, f, g);
	exit(0);
}
