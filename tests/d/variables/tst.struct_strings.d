/* Strings in structures have room of their own, whatever strsize is. @@flags -q -xstrsize=10 */
struct in { int y; string s[2]; string t; int z; };
struct in x, a[int];

BEGIN
{
	x.y = 1; x.z = 3; x.s[1] = "abcdefghijk"; x.s[0] = "b"; x.t = "t"; this->i = 1;
	a[1] = x; a[2].s[this->i] = "second"; a[2].t = a[1].s[this->i];
	printf("%d %s %s %s %d\n", x.y, x.s[0], x.s[this->i], x.t, x.z);
	printf("%s %s %s %d [%s]\n", a[1].s[1], a[2].s[1], a[2].t, a[1].z, a[3].s[this->i]);
	exit(0);
}
