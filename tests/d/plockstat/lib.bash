# Helpers of the tests of locks of processes. Sources the helpers of the command-line tests.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.bash"

# A program whose use of its locks is known, as $dir/locks.
locks() {
    cat >"$dir/locks.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>
pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, again, checked;
pthread_mutex_t spinning = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void ms(int n)
{
    struct timespec t = { 0, n * 1000000L };
    nanosleep(&t, NULL);
}
static volatile int taken;
static void until_taken(void)
{
    while (!taken)
        ms(1);
    taken = 0;
}
static void *hold(void *m)
{
    pthread_mutex_lock(m);
    taken = 1;
    ms(300);
    pthread_mutex_unlock(m);
    return NULL;
}
static void *write_for(void *unused)
{
    pthread_rwlock_wrlock(&rw);
    taken = 1;
    ms(300);
    pthread_rwlock_unlock(&rw);
    return NULL;
}
static void *signal_one(void *unused)
{
    ms(900);
    pthread_mutex_lock(&plain);
    pthread_mutex_unlock(&plain);
    pthread_cond_signal(&cond);
    return NULL;
}
__attribute__((noipa)) void wait_for(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
}
int main(void)
{
    pthread_t t;
    struct timespec past = { 1, 0 };
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &a);
    for (int i = 0; i < 10; i++)
        wait_for(&plain);
    for (int i = 0; i < 3; i++)
        pthread_mutex_lock(&again);
    for (int i = 0; i < 3; i++)
        pthread_mutex_unlock(&again);
    pthread_mutex_lock(&checked);
    pthread_mutex_lock(&checked);
    pthread_mutex_unlock(&checked);
    pthread_mutex_unlock(&checked);

    pthread_create(&t, NULL, hold, &plain);
    until_taken();
    pthread_mutex_trylock(&plain);
    pthread_mutex_timedlock(&plain, &past);
    wait_for(&plain);
    pthread_join(t, NULL);

    pthread_create(&t, NULL, hold, &spinning);
    until_taken();
    wait_for(&spinning);
    pthread_join(t, NULL);

    pthread_create(&t, NULL, write_for, NULL);
    until_taken();
    pthread_rwlock_tryrdlock(&rw);
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    pthread_join(t, NULL);

    pthread_mutex_lock(&plain);
    pthread_create(&t, NULL, signal_one, NULL);
    pthread_cond_wait(&cond, &plain);
    pthread_mutex_unlock(&plain);
    pthread_join(t, NULL);
    return 0;
}
C
    cc -O1 -g0 -rdynamic -o "$dir/locks" "$dir/locks.c" -pthread "$@" || fail "cc"
}
