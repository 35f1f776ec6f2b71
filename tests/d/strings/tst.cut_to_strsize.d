/* What does not fit is cut; the NUL takes a byte. @@flags -q -x strsize=8 */
BEGIN
{
	s = "0123456789"; self->s = "abcdefghij"; this->t = "ABCDEFGHIJ"; a["0123456789"] = "klmnopqrst";
	printf("%s %s %s %s %d %d\n", s, self->s, this->t, a["0123456789"], strlen(s), sizeof (string));
	exit(0);
}
