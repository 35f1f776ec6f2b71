/* A string may be made of what it holds. @@flags -q */
BEGIN
{
	this->s = "ab"; g = "cd"; self->t = "ef"; a[1] = "/x/y";
	this->s = strjoin(this->s, this->s); this->s = strjoin(this->s, this->s);
	g = strjoin(g, strjoin(g, g)); g = substr(g, 1);
	self->t = strjoin(self->t, this->s); self->t = toupper(self->t);
	a[1] = dirname(a[1]); a[1] = strjoin(a[1], a[1]);
	printf("%s %s %s %s\n", this->s, g, self->t, a[1]);
	exit(0);
}
