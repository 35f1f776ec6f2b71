/* print() of every kind of type, as members and alone. @@flags -q */
typedef int mine_t;
enum e { A, B = 5 };
struct in { int x; char c; };
union u { int i; char c[4]; };
typedef int (*function_t)(int);
struct unknown;
struct all {
	int negative; unsigned three:3; int five:5; char letter; char name[8]; mine_t mine; enum e choice; struct in inner;
	union u either; struct in pair[2]; int numbers[3]; int *pointer; struct in *to; function_t function; void *any;
	struct unknown *nowhere; uint8_t bytes[4]; string text; _Bool truth; struct { int a1; union { int a2; char a3; }; } plain;
	float single; double twice; enum e choices[2]; int table[2][2]; char words[2][4]; uint64_t large; short small;
	const char *constant; userland char *theirs; int empty[0];
};
struct all g;
self struct in mine;
this struct in here;
struct in element[int];
userland int *user;

BEGIN
{
	g.negative = -3; g.three = 5; g.five = -2; g.letter = 'A'; g.name[0] = 'h'; g.name[1] = '"'; g.mine = 7;
	g.choice = B; g.inner.x = 9; g.either.i = 0x41424344; g.pair[1].c = '\n'; g.numbers[1] = 5; g.pointer = (int *)16;
	g.text = "a\tb"; g.truth = 1; g.plain.a2 = 3; g.bytes[1] = 2; g.choices[1] = (enum e)7; g.table[1][1] = 8;
	g.words[1][0] = 'w'; g.large = 0xffffffffffffffff; g.small = -1; g.function = (function_t)&`vfs_read;
	print(g); printf("\n");
	print(g.three); printf("\n"); print(g.five); printf("\n"); print(g.pair); printf("\n"); print(g.numbers); printf("\n");
	print(g.function); printf("\n"); print(g.words); printf("\n"); print(g.choice); printf("\n"); print(g.text); printf("\n");
	self->mine.x = 1; this->here.x = 2; element[3].x = 4;
	print(self->mine); printf("\n"); print(this->here); printf("\n"); print(element[3]); printf("\n");
	print(user); printf("\n"); print((mine_t)3); printf("\n"); print(curthread->comm); printf("\n");
	exit(0);
}
