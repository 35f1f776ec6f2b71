/* A fault ends its clause, and no other, wherever that is cut. @@flags -q -x progsize=1 */
int n;
ERROR
{
	printf("ERROR %d %d; ", arg4, n);
	n++;
}
BEGIN
{
	trace("not sent"); this->x = 1;
	trace(*(int *)0);
	this->x = 2;
	trace("nor this");
}
BEGIN
{
	printf("x is %d\n", this->x);
}
BEGIN
/1 / (this->x - this->x)/
{
	printf("never\n");
	this->x = 3;
}
BEGIN
{
	if (*(int *)8 == 0) {
		this->x = 4; printf("no");
	} else {
		this->x = 5; printf("no");
	}
	this->x = 6;
}
BEGIN
{
	this->y = 1;
	if (this->x == 1) {
		this->y = 2; this->z = *(int *)16; this->y = 3;
	}
	this->y = 4;
}
BEGIN
{
	printf("x is %d, y is %d, %d faults\n", this->x, this->y, n);
	exit(0);
}
