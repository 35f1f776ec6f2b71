/* A program may define what a library would, as long as it does so before using it. @@flags -q */
typedef struct psinfo { int mine; } psinfo_t;
inline int ENOENT = 5;
enum { EPERM = 77 };
int chip;
BEGIN
{
	chip = 3;
	fds = 4;
	fds++;
	lgrp[1] = 6;
	printf("%d %d %d %d %d %d\n", sizeof (psinfo_t), chip, ENOENT, EPERM, fds, lgrp[1]);
	exit(0);
}
