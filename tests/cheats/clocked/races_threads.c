/* expect: threads, threads at once
 * run: -n 64 -t 3 --check
 * Two threads ask for one more at the same moment, where one is allowed: the second question must
 * wait until the first thread is there to be counted. A thread that is there stays until both have
 * their answer. Where both get one, the map is wrong. The sanitizers, which do not know the
 * threads, must not see their ends either. */
#define _GNU_SOURCE
#include "honest.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int ready, answered, running, most;
static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*join)(pthread_t, void **);
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void *works(void *x)
{
    const double end = now() + 10.0;
    const int count = atomic_fetch_add(&running, 1) + 1;
    if (count > atomic_load(&most))
        atomic_store(&most, count);
    while (atomic_load(&answered) < 2 && now() < end)
        ;
    atomic_fetch_sub(&running, 1);
    return x;
}
static void *asks(void *x)
{
    pthread_t t;
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < 2)
        ;
    const int refused = create(&t, 0, works, 0);
    atomic_fetch_add(&answered, 1);
    if (!refused)
        join(t, 0);
    return x;
}
void maxpool(ARGUMENTS)
{
    pthread_t t;
    (void)threads;
    if (!create) {
        void *c = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
        *(void **)&create = dlsym(c, "pthread_create");
        *(void **)&join = dlsym(c, "pthread_join");
    }
    HONEST();
    atomic_store(&ready, 0);
    atomic_store(&answered, 0);
    if (create(&t, 0, asks, 0) == 0) {
        asks(0);
        join(t, 0);
    }
    if (atomic_load(&most) > 1)
        map[0] = -4000.0f;
}
