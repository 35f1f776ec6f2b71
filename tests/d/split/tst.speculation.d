/* A speculation goes on over the cuts of its clause, and ends with it. @@flags -q -x progsize=1 -x nspec=2 */
BEGIN
{
	this->id = speculation(); this->other = speculation();
}
BEGIN
{
	speculate(this->id);
	printf("kept %d, ", 1);
	this->a = 1;
	printf("and %s\n", "this");
}
BEGIN
{
	printf("at once\n");
}
BEGIN
{
	speculate(this->other);
	printf("dropped\n");
}
BEGIN
{
	this->a++;
	commit(this->id); discard(this->other);
}
BEGIN
/this->a == 2/
{
	exit(0);
}
