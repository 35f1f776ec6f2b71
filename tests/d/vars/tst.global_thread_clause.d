/* @@flags -q */
int declared;
self int kept;
this int here;

BEGIN
{
	declared = 5;
	self->kept = 6;
	this->here = 7;
	self->name = "text";
}

BEGIN
{
	declared++;
	self->kept += 10;
	printf("%d %d %d %s\n", declared, self->kept, this->here, self->name);
	exit(0);
}
