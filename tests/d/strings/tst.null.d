/* A string that was never set equals NULL. @@flags -q */
string never[string];
self string never;

BEGIN
{
	never["x"] = 0;
	printf("%d %d\n", self->never == NULL, never["k"] == NULL);
	self->never = "x";
	printf("%d %d\n", self->never == NULL, self->never != NULL);
	exit(0);
}
