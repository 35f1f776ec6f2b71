/* Between variables of all scopes and built-ins. @@flags -q */
BEGIN
{
	g = "x"; self->s = "x"; this->t = "y"; a["k"] = "y";
	printf("%d %d %d %d %d\n", g == self->s, this->t == a["k"], g == this->t, self->s < a["k"], probename == "BEGIN");
	exit(0);
}
