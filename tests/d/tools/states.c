/*
 * A thread that is in known states, by its own clocks: states MODE FILE. It goes on until FILE exists and prints after each
 * stay the time, ms in each state so far, and ms that it has waited for a CPU:
 *	seconds USR SYS TFL DFL LCK SLP LAT
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { USR, SYS, TFL, DFL, LCK, SLP, KINDS };
static double spent[KINDS], waited;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, never = PTHREAD_MUTEX_INITIALIZER;
static int pipes[2], uffd, zero, file;
static char *page, *map, buffer[1 << 20];
static const size_t FILE_SIZE = 16 << 20;

static double of(clockid_t clock) { struct timespec t; clock_gettime(clock, &t); return t.tv_sec * 1e3 + t.tv_nsec / 1e6; }
static double cpu(void) { return of(CLOCK_THREAD_CPUTIME_ID); }
static double wall(void) { return of(CLOCK_MONOTONIC); }
static void doze(double ms) { struct timespec t = { 0, ms * 1e6 }; nanosleep(&t, 0); }

/* ms that this thread has waited for a CPU */
static double delay(void)
{
    static int fd;
    char text[100] = "";
    unsigned long long ran, waited = 0;
    if (!fd) fd = open("/proc/thread-self/schedstat", O_RDONLY);
    if (pread(fd, text, sizeof text - 1, 0) <= 0 || sscanf(text, "%llu %llu", &ran, &waited) != 2) exit(3);
    return waited / 1e6;
}

static void user(void) { double end = cpu() + 6; while (cpu() < end) for (volatile int i = 0; i < 20000; i++); }
static void kernel(void) { double end = cpu() + 4; while (cpu() < end) if (read(zero, buffer, sizeof buffer) < 0) exit(4); }
static void sleeps(void) { doze(10); }
static void ask(void) { if (write(pipes[1], "x", 1) != 1) exit(5); doze(1); }
static void locks(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
static void touch(void) { (*(volatile char *)page)++; madvise(page, 4096, MADV_DONTNEED); }
static void call(void) { ((void (*)(void))page)(); madvise(page, 4096, MADV_DONTNEED); }
static void forget(void)
{
    madvise(map, FILE_SIZE, MADV_DONTNEED);
    posix_fadvise(file, 0, FILE_SIZE, POSIX_FADV_DONTNEED);
}
static void pages(void) { for (size_t at = 0; at < FILE_SIZE; at += 1 << 16) (void)*(volatile char *)(map + at); }

static void *holder(void *unused)
{
    char c;
    while (read(pipes[0], &c, 1) == 1) {
        pthread_mutex_lock(&lock);
        doze(12);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *pager(void *code)
{
    static char source[4096] __attribute__((aligned(4096))) = { (char)0xc3 };
    struct uffd_msg message;
    while (read(uffd, &message, sizeof message) == sizeof message) {
        struct uffdio_copy copy = { (uintptr_t)page, (uintptr_t)source, 4096, 0, 0 };
        doze(10);
        ioctl(uffd, UFFDIO_COPY, &copy);
    }
    return code;
}

static void *burner(void *unused) { for (;;) user(); return unused; }
static void *waiter(void *unused) { pthread_mutex_lock(&never); return unused; }

/* What a stay is when the thread is on a CPU (with what interrupts take there), and when it is not. */
struct phase { void (*run)(void); int busy, idle; };
static const struct mode { const char *name; struct phase phases[4]; } modes[] = {
    { "mix", { { user, USR, USR }, { kernel, SYS, SYS }, { sleeps, SYS, SLP } } },
    { "lock", { { user, USR, USR }, { ask, SYS, SLP }, { locks, SYS, LCK } } },
    { "data", { { user, USR, USR }, { touch, USR, DFL } } },
    { "code", { { user, USR, USR }, { call, USR, TFL } } },
    { "disk", { { user, USR, USR }, { forget, SYS, SYS }, { pages, USR, DFL } } },
    { "cpu", { { user, USR, USR } } },
};

static void run(const struct phase *p)
{
    double w = wall(), c = cpu(), d = delay();
    p->run();
    w = wall() - w, c = cpu() - c, d = delay() - d;
    spent[p->busy] += c, spent[p->idle] += w - c - d > 0 ? w - c - d : 0, waited += d;
    printf("%.3f", of(CLOCK_REALTIME) / 1e3);
    for (int n = 0; n < KINDS; n++) printf(" %.3f", spent[n]);
    printf(" %.3f\n", waited);
}

static void prepare(const char *mode, const char *stop)
{
    pthread_t thread;
    cpu_set_t one;
    struct uffdio_api api = { UFFD_API, 0, 0 };
    char name[4000];
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    zero = open("/dev/zero", O_RDONLY);
    if (!strcmp(mode, "mix")) pthread_mutex_lock(&never), pthread_create(&thread, 0, waiter, 0);
    if (!strcmp(mode, "lock")) { if (pipe(pipes)) exit(5); pthread_create(&thread, 0, holder, 0); }
    if (!strcmp(mode, "cpu")) sched_setaffinity(0, sizeof one, &one), pthread_create(&thread, 0, burner, 0);
    if (!strcmp(mode, "data") || !strcmp(mode, "code")) {
        page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        uffd = syscall(SYS_userfaultfd, 0);
        struct uffdio_register all = { { (uintptr_t)page, 4096 }, UFFDIO_REGISTER_MODE_MISSING, 0 };
        if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api) || ioctl(uffd, UFFDIO_REGISTER, &all)) exit(6);
        pthread_create(&thread, 0, pager, 0);
    }
    if (!strcmp(mode, "disk")) {
        snprintf(name, sizeof name, "%s.data", stop);
        file = open(name, O_RDWR | O_CREAT, 0600);
        for (size_t at = 0; at < FILE_SIZE; at += sizeof buffer) if (write(file, buffer, sizeof buffer) < 0) exit(7);
        fsync(file);
        map = mmap(0, FILE_SIZE, PROT_READ, MAP_SHARED, file, 0);
        madvise(map, FILE_SIZE, MADV_RANDOM);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    const struct mode *mode = modes;
    while (strcmp(mode->name, argv[1])) mode++;
    prepare(mode->name, argv[2]);
    puts("ready");
    fflush(stdout);
    while (access(argv[2], F_OK))
        for (const struct phase *p = mode->phases; p->run; p++) run(p);
    return 0;
}
