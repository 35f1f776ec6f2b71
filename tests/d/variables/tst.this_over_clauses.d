/* Clause-local variables are seen by the later clauses of a firing. @@flags -q */
this string s;

BEGIN
{
	this->n = 5;
	this->s = "text";
}

BEGIN
{
	this->n++;
}

BEGIN
{
	printf("%d %s\n", this->n, this->s);
	exit(0);
}
