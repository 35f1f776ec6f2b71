/* Loads with known answers, for the tests of the toolkit: load NAME [ARGUMENTS]. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KEEP __attribute__((noipa))

static long arg(char **a, int n) { return a[n] ? atol(a[n]) : 0; }
static void die(const char *what)
{
    perror(what);
    exit(9);
}
static void ms(long n)
{
    struct timespec t = { n / 1000, n % 1000 * 1000000 };
    nanosleep(&t, NULL);
}
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* CPU: so many milliseconds of the thread's own CPU time, in a function to be found. */
KEEP void burn(long n)
{
    struct timespec t;
    do {
        for (volatile int i = 0; i < 20000; i++)
            ;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < n);
}
/* Works for the given milliseconds of wall time. */
KEEP void work(long n)
{
    for (double end = now() + n; now() < end;)
        for (volatile int i = 0; i < 2000; i++)
            ;
}
static void do_burn(char **a) { burn(arg(a, 0)); }

/* Files. */
static void do_open(char **a) /* N PATH: opens it, and PATH.none, which is not there */
{
    char none[4096];
    snprintf(none, sizeof none, "%s.none", a[1]);
    for (long n = arg(a, 0); n > 0; n--) {
        close(open(a[1], O_RDWR | O_CREAT, 0644));
        close(open(none, O_RDONLY));
    }
}
static void do_read(char **a) /* N SIZE PATH */
{
    long size = arg(a, 1);
    char *b = malloc(size);
    int f = open(a[2], O_RDONLY);
    if (f < 0)
        die(a[2]);
    for (long n = arg(a, 0); n > 0; n--)
        if (read(f, b, size) < 0)
            die("read");
}
static void do_write(char **a) /* N SIZE PATH [fsync] */
{
    long size = arg(a, 1);
    char *b = calloc(1, size);
    int f = open(a[2], O_WRONLY | O_CREAT, 0644);
    if (f < 0)
        die(a[2]);
    for (long n = arg(a, 0); n > 0; n--) {
        if (write(f, b, size) != size)
            die("write");
        if (a[3] && fsync(f))
            die("fsync");
    }
}
static void do_disk(char **a) /* r|w N SIZE STRIDE PATH: direct input or output, the next place STRIDE further */
{
    long n = arg(a, 1), size = arg(a, 2), stride = arg(a, 3);
    void *b;
    int f = open(a[4], O_RDWR | O_DIRECT | O_CREAT, 0644);
    if (f < 0 || posix_memalign(&b, 4096, size))
        die(a[4]);
    memset(b, 1, size);
    for (long i = 0; i < n; i++)
        if ((*a[0] == 'r' ? pread(f, b, size, i * stride) : pwrite(f, b, size, i * stride)) != size)
            die("disk");
}
static void do_files(char **a) /* N DIR MS: makes files, keeps them that long, renames and removes them */
{
    char from[4096], to[4096];
    for (long i = 0; i < arg(a, 0); i++) {
        snprintf(from, sizeof from, "%s/made%ld", a[1], i);
        snprintf(to, sizeof to, "%s/named%ld", a[1], i);
        close(open(from, O_WRONLY | O_CREAT | O_EXCL, 0600));
        ms(arg(a, 2));
        if (rename(from, to) || unlink(to))
            die("files");
    }
}
static void do_stat(char **a) /* N PATH: stats it, and PATH.none */
{
    struct stat s;
    char none[4096];
    snprintf(none, sizeof none, "%s.none", a[1]);
    for (long n = arg(a, 0); n > 0; n--) {
        stat(a[1], &s);
        stat(none, &s);
    }
}
static void do_leak(char **a) /* N PATH: opens it N times, closes it once */
{
    int f = -1;
    for (long n = arg(a, 0); n > 0; n--)
        f = open(a[1], O_RDWR | O_CREAT, 0644);
    close(f);
}
static void do_flock(char **a) /* N MS PATH: a child waits for a lock that its parent holds, N times */
{
    int p[2][2];
    char c = 0;
    if (pipe(p[0]) || pipe(p[1]))
        die("pipe");
    if (fork() == 0) {
        int g = open(a[2], O_RDWR | O_CREAT, 0644);
        for (long n = arg(a, 0); n > 0; n--) {
            if (read(p[0][0], &c, 1) != 1 || flock(g, LOCK_EX) || flock(g, LOCK_UN) || write(p[1][1], &c, 1) != 1)
                die("flock");
        }
        _exit(0);
    }
    int f = open(a[2], O_RDWR | O_CREAT, 0644);
    for (long n = arg(a, 0); n > 0; n--) {
        flock(f, LOCK_EX);
        if (write(p[0][1], &c, 1) != 1)
            die("write");
        ms(arg(a, 1));
        flock(f, LOCK_UN);
        if (read(p[1][0], &c, 1) != 1)
            die("read");
    }
    wait(NULL);
}

/* Processes and threads. */
static void do_fork(char **a) /* N STATUS MS: children one after the other */
{
    for (long n = arg(a, 0); n > 0; n--) {
        if (fork() == 0) {
            ms(arg(a, 2));
            _exit(arg(a, 1));
        }
        wait(NULL);
    }
}
static void do_kill(char **a) /* N SIGNAL: children that it kills */
{
    for (long n = arg(a, 0); n > 0; n--) {
        int child = fork();
        if (child == 0) {
            pause();
            _exit(0);
        }
        kill(child, arg(a, 1));
        waitpid(child, NULL, 0);
    }
}
static void do_exec(char **a) /* PATH ARGUMENTS: runs it */
{
    execv(a[0], a);
    die(a[0]);
}
KEEP void bad_write(int *where) { *where = 1; }
static void do_crash(char **a)
{
    (void)a;
    bad_write((int *)16);
}
static void *sleeper(void *n)
{
    ms((long)n);
    return NULL;
}
static void do_threads(char **a) /* N MS: threads, one after the other */
{
    pthread_t t;
    for (long n = arg(a, 0); n > 0; n--)
        if (pthread_create(&t, NULL, sleeper, (void *)arg(a, 1)) || pthread_join(t, NULL))
            die("thread");
}
static void do_ids(char **a)
{
    (void)a;
    if (setgid(65534) || setuid(65534))
        die("setuid");
    if (setuid(0) == 0)
        die("root again");
}

/* Scheduling. */
KEEP void nap(long n) { ms(n); }
static void do_sleep(char **a) /* N MS */
{
    for (long n = arg(a, 0); n > 0; n--)
        nap(arg(a, 1));
}
static void do_pingpong(char **a) /* N MS: a parent wakes its child every MS, which answers at once */
{
    int p[2][2];
    char c = 0;
    if (pipe(p[0]) || pipe(p[1]))
        die("pipe");
    if (fork() == 0) {
        close(p[0][1]);
        while (read(p[0][0], &c, 1) == 1)
            if (write(p[1][1], &c, 1) != 1)
                die("write");
        _exit(0);
    }
    for (long n = arg(a, 0); n > 0; n--) {
        ms(arg(a, 1));
        if (write(p[0][1], &c, 1) != 1 || read(p[1][0], &c, 1) != 1)
            die("pingpong");
    }
    close(p[0][1]);
    wait(NULL);
}
static void bind_to(int c)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(c, &set);
    sched_setaffinity(0, sizeof set, &set);
}
static void do_share(char **a) /* MS: two processes that want one CPU */
{
    bind_to(0);
    int child = fork();
    burn(arg(a, 0));
    if (child)
        wait(NULL);
    else
        _exit(0);
}
static void do_migrate(char **a) /* N: to and fro between two CPUs */
{
    for (long n = arg(a, 0); n > 0; n--) {
        bind_to(0);
        bind_to(1);
    }
}
static void do_poll(char **a) /* N MS: time-outs */
{
    for (long n = arg(a, 0); n > 0; n--)
        poll(NULL, 0, arg(a, 1));
}

/* Memory. */
KEEP void touch(char *m, long pages)
{
    for (long i = 0; i < pages; i++)
        m[i * 4096] = 1;
}
KEEP char *more(long size) { return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
static void do_touch(char **a) /* PAGES: touches new memory */
{
    char *m = more(arg(a, 0) * 4096);
    madvise(m, arg(a, 0) * 4096, MADV_NOHUGEPAGE);
    touch(m, arg(a, 0));
}
static void do_hold(char **a) /* PAGES MS: touches new memory and keeps it so long */
{
    do_touch(a);
    usleep(arg(a, 1) * 1000);
}
static volatile int over;
static volatile long beat;
static void *elsewhere(void *nothing)
{
    bind_to(1);
    while (!over)
        beat++;
    return nothing;
}
static void do_unmap(char **a) /* N: maps and unmaps memory while another thread runs on another CPU */
{
    pthread_t t;
    bind_to(0);
    pthread_create(&t, NULL, elsewhere, NULL);
    for (long n = arg(a, 0); n > 0; n--) {
        char *m = more(4096);
        touch(m, 1);
        /* Not while something else has its CPU. */
        for (long last = beat; beat == last;)
            ;
        munmap(m, 4096);
    }
    over = 1;
    pthread_join(t, NULL);
}
static void *volatile kept;
KEEP void allocate(long n, long size)
{
    for (; n > 0; n--)
        kept = malloc(size);
}
KEEP void allocate_and_free(long n, long size)
{
    for (; n > 0; n--)
        free(kept = malloc(size));
}
static void do_malloc(char **a) /* N SIZE: leaks N, and allocates and frees N */
{
    allocate(arg(a, 0), arg(a, 1));
    allocate_and_free(arg(a, 0), arg(a, 1));
}

/* Locks. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
KEEP void *contender(void *n)
{
    for (long i = (long)n; i > 0; i--) {
        pthread_barrier_wait(&barrier);
        ms(2);
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}
static void do_mutex(char **a) /* N MS: a thread waits for a mutex that another holds */
{
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, contender, (void *)arg(a, 0));
    for (long n = arg(a, 0); n > 0; n--) {
        pthread_mutex_lock(&mutex);
        pthread_barrier_wait(&barrier);
        ms(arg(a, 1));
        pthread_mutex_unlock(&mutex);
        pthread_barrier_wait(&barrier);
    }
    pthread_join(t, NULL);
}
static void do_inode(char **a) /* MS PATH: processes that write to one file */
{
    char *b = calloc(1, 1 << 20);
    int shared = open(a[1], O_RDWR | O_CREAT, 0644);
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            int f = i < 2 ? shared : open(a[1], O_RDWR);
            for (double end = now() + arg(a, 0); now() < end;) {
                lseek(f, 0, SEEK_SET);
                if (write(f, b, 1 << 20) < 0)
                    die("write");
            }
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
}

/* System calls. */
static void do_errors(char **a) /* N: closes what is not open, and kills nobody */
{
    for (long n = arg(a, 0); n > 0; n--) {
        close(-1);
        if (n % 2)
            kill(-99999999, 0);
    }
}
static void do_calls(char **a) /* N: system calls that do nothing */
{
    for (long n = arg(a, 0); n > 0; n--)
        syscall(SYS_getppid);
}

/* Functions. */
KEEP long leaf(long n) { return n + 1; }
KEEP long middle(long n)
{
    work(2);
    return leaf(n) + leaf(n);
}
KEEP long outer(long n)
{
    work(1);
    return middle(n) + getppid() % 2;
}
static void do_functions(char **a) /* N */
{
    long sum = 0;
    for (long n = arg(a, 0); n > 0; n--)
        sum += outer(n);
    if (sum == 42)
        puts("");
}
static void do_lookup(char **a) /* N NAME */
{
    struct addrinfo *found;
    for (long n = arg(a, 0); n > 0; n--)
        getaddrinfo(a[1], NULL, NULL, &found);
}

/* Network. */
static struct sockaddr_in local(int port)
{
    struct sockaddr_in s = { .sin_family = AF_INET, .sin_port = htons(port) };
    s.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return s;
}
static int listener(int backlog, int *port)
{
    struct sockaddr_in s = local(0);
    socklen_t len = sizeof s;
    int f = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(f, (void *)&s, sizeof s) || listen(f, backlog) || getsockname(f, (void *)&s, &len))
        die("listen");
    *port = ntohs(s.sin_port);
    return f;
}
static int caller(int port)
{
    struct sockaddr_in s = local(port);
    int f = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(f, (void *)&s, sizeof s))
        close(f), f = -1;
    return f;
}
static void all(int f, char *b, long size, ssize_t (*io)(int, void *, size_t))
{
    for (long n, left = size; left > 0; left -= n)
        if ((n = io(f, b, left)) <= 0)
            die("io");
}
static ssize_t put(int f, void *b, size_t n) { return write(f, b, n); }
static void do_tcp(char **a) /* N SIZE MS: a child takes N connections, gets SIZE bytes on each and answers with 10 */
{
    int port, f = listener(8, &port);
    long count = arg(a, 0), size = arg(a, 1);
    char *b = calloc(1, size + 10);
    printf("port %d\n", port);
    fflush(stdout);
    if (fork() == 0) {
        for (long n = count; n > 0; n--) {
            int c = accept(f, NULL, NULL);
            all(c, b, size, read);
            all(c, b, 10, put);
            if (read(c, b, 1) != 0)
                die("end");
            close(c);
        }
        _exit(0);
    }
    for (long n = count; n > 0; n--) {
        int c = caller(port);
        all(c, b, size, put);
        all(c, b, 10, read);
        ms(arg(a, 2));
        close(c);
    }
    wait(NULL);
    close(f);
    if (caller(port) >= 0)
        die("accepted");
}
static void do_full(char **a) /* a server that does not accept: the third connection must ask again */
{
    int port, f = listener(0, &port), last = 0;
    (void)a;
    caller(port);
    struct sockaddr_in s = local(port);
    for (int i = 0; i < 2; i++) {
        last = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(last, (void *)&s, sizeof s);
    }
    poll(NULL, 0, 1300);
    close(last);
    close(f);
}
static void do_udp(char **a) /* N SIZE: datagrams to a child; and N that nobody wants */
{
    struct sockaddr_in s = local(0), none = local(1);
    socklen_t len = sizeof s;
    long size = arg(a, 1);
    char *b = calloc(1, size);
    int f = socket(AF_INET, SOCK_DGRAM, 0), g = socket(AF_INET, SOCK_DGRAM, 0), h = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(f, (void *)&s, sizeof s) || getsockname(f, (void *)&s, &len))
        die("bind");
    printf("port %d\n", ntohs(s.sin_port));
    fflush(stdout);
    for (long n = arg(a, 0); n > 0; n--) {
        sendto(g, b, size, 0, (void *)&s, sizeof s);
        if (recv(f, b, size, 0) != size)
            die("recv");
        sendto(h, b, size, 0, (void *)&none, sizeof none);
    }
}

static const struct {
    const char *name;
    void (*run)(char **);
} LOADS[] = {
    { "burn", do_burn }, { "open", do_open }, { "read", do_read }, { "write", do_write }, { "disk", do_disk },
    { "files", do_files }, { "stat", do_stat }, { "leak", do_leak }, { "flock", do_flock }, { "fork", do_fork },
    { "kill", do_kill }, { "exec", do_exec }, { "crash", do_crash }, { "threads", do_threads }, { "ids", do_ids },
    { "sleep", do_sleep }, { "pingpong", do_pingpong }, { "share", do_share }, { "migrate", do_migrate },
    { "poll", do_poll }, { "touch", do_touch }, { "hold", do_hold }, { "unmap", do_unmap }, { "malloc", do_malloc },
    { "mutex", do_mutex },
    { "inode", do_inode }, { "errors", do_errors }, { "calls", do_calls }, { "functions", do_functions },
    { "lookup", do_lookup }, { "tcp", do_tcp }, { "full", do_full }, { "udp", do_udp },
};

int main(int argc, char **argv)
{
    for (unsigned i = 0; argc > 1 && i < sizeof LOADS / sizeof *LOADS; i++)
        if (!strcmp(argv[1], LOADS[i].name)) {
            LOADS[i].run(argv + 2);
            return 0;
        }
    fprintf(stderr, "load: no such load\n");
    return 9;
}
