/* Joining and cutting nothing. @@flags -q */
BEGIN
{
	self->s = ""; g = "c";
	g = strjoin(strjoin(self->s, g), self->s); self->s = strjoin(self->s, self->s);
	printf("[%s] [%s] %d\n", g, self->s, self->s == "");
	exit(0);
}
