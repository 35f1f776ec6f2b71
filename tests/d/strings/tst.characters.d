/*
 * A string is an array of characters: its elements, what it points to, and a cast to a pointer. @@flags -q
 */
BEGIN
{
	self->s = "hello"; this->t = "world"; a["x"] = "abc"; g = "glob"; this->k = 3;
	printf("%c%c%c%c%c%c\n", *self->s, self->s[1], *this->t, a["x"][2], g[3], self->s[this->k]);
	printf("%d %s\n", execname[0] == *execname, stringof((char *)self->s + 2));
	printf("%s\n", *self->s == '/' ? "absolute" : "relative");
	exit(0);
}
