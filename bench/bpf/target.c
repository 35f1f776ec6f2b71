/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The program whose function and probe site are traced: `target REPEATS CALLS`. Prints its number and where the function is
 * in its file, waits for a line, then prints nanoseconds of so many calls of the function, of runs of an empty loop, of
 * runs of the site, a line each, as often as it shall. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

long f(long n);
#if defined(__x86_64__)
__asm__(".text\n.globl f\n.type f, @function\nf:\n\tpush %rbp\n\tmov %rsp, %rbp\n\tlea 1(%rdi), %rax\n\tpop %rbp\n\tret\n.size f, . - f\n");
#else
__asm__(".text\n.globl f\n.type f, @function\nf:\n\tnop\n\tadd x0, x0, 1\n\tret\n.size f, . - f\n");
#endif

/* As the header of dtrace -h has it. */
#if defined(__x86_64__)
#define NOP "nop; .byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0"
#else
#define NOP "nop"
#endif
#define SITE(n) \
	__asm__ volatile("990: " NOP "\n\t.pushsection .note.stapsdt, \"\", \"note\"\n\t.balign 4\n" \
		"\t.4byte 992f - 991f, 994f - 993f, 3\n991:\t.asciz \"stapsdt\"\n992:\t.balign 4\n" \
		"993:\t.8byte 990b, 0, 0\n\t.asciz \"benchsite\"\n\t.asciz \"site\"\n\t.asciz \"-8@%0\"\n" \
		"994:\t.balign 4\n\t.popsection\n" : : "r"(n))

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static unsigned long offset(void)
{
	unsigned long start, end, at, place = (unsigned long)f;
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof line, maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &at) == 3 && start <= place && place < end)
			return place - start + at;
	return 0;
}

int main(int argc, char **argv)
{
	long repeats = argc > 1 ? atol(argv[1]) : 1, calls = argc > 2 ? atol(argv[2]) : 1, i, r, t[4];
	char line[8];

	printf("%d %lu\n", getpid(), offset());
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		return 1;
	for (r = 0; r < repeats; r++) {
		t[0] = now();
		for (i = 0; i < calls; i++)
			f(i);
		t[1] = now();
		for (i = 0; i < calls; i++)
			__asm__ volatile("" : : "r"(i));
		t[2] = now();
		for (i = 0; i < calls; i++)
			SITE(i);
		t[3] = now();
		printf("%ld %ld %ld\n", t[1] - t[0], t[2] - t[1], t[3] - t[2]);
	}
	return 0;
}
