/* Programs of one statement each: what a firing has goes on from one to the next.
 * @@flags -q -x progsize=1
 */
BEGIN
{
	this->i = 42; this->s = "kept"; this->t = timestamp; self->n = 7;
	printf("%d %s ", this->i, this->s);
	trace(strjoin(this->s, "!"));
	printf(" %s.\n", this->s);
}
BEGIN
/this->i == 42 && this->t == timestamp && self->n == 7/
{
	printf("the same firing, the same time\n");
}
BEGIN
/this->i != 42/
{
	printf("lost\n");
}
BEGIN
{
	this->p = (char *)alloca(8); this->q = (char *)alloca(8);
	this->p[0] = 'a'; this->q[0] = 'b'; this->p[1] = this->q[1] = 0;
	printf("%s%s\n", stringof(this->p), stringof(this->q));
}
BEGIN
{
	if (this->i == 42) {
		printf("then "); this->i++;
	} else {
		printf("else "); this->i--;
	}
	printf("%d\n", this->i);
}
BEGIN
{
	printf("%s ", strtok("a:b:c", ":"));
	printf("%s ", strtok(NULL, ":"));
}
BEGIN
{
	printf("%s\n", strtok(NULL, ":"));
	exit(0);
	printf("exit() ends nothing at once\n");
}
BEGIN
{
	printf("nor the clauses behind it\n");
}
