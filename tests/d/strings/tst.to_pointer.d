/* A string assigned to a char * is its address, until the clause ends. @@flags -q */
char *p;
string s;

BEGIN
{
	p = "abc"; s = "xyz"; this->q = p; p = s;
	printf("%s %s ", stringof(this->q), stringof(p));
	p = strjoin(s, "1"); this->other = strjoin("a", "b");
	printf("%s %s %d %c\n", stringof(p), this->other, p == NULL, *p);
	exit(0);
}
