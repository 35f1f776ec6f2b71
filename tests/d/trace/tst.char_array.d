/* An array of characters that ends in NULs is text. @@flags -q */
struct s { char c[5]; };
this struct s v;

BEGIN
{
	this->v.c[0] = 'o'; this->v.c[1] = 'k'; this->v.c[2] = 0; this->v.c[3] = 0; this->v.c[4] = 0;
	trace(this->v.c);
	exit(0);
}
