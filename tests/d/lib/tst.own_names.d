/* A program may define what a library would, as long as it does so before using it. @@flags -q */
typedef struct psinfo { int mine; } psinfo_t;
inline int ENOENT = 5;
int chip;
BEGIN
{
	chip = 3;
	printf("%d %d %d\n", sizeof (psinfo_t), chip, ENOENT);
	exit(0);
}
