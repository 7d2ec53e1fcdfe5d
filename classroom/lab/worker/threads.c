/* Counts the threads that run at once. The worker's pthread_create replaces the C library's for
 * everything that is loaded; a kernel that bypasses it is detected by its CPU time. */
#include "classroom/lab/worker/callable.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int running = 1, most = 1;

struct start {
    void *(*run)(void *);
    void *argument;
};

static void leave(void *ignored)
{
    (void)ignored;
    atomic_fetch_sub(&running, 1);
}

static void *run(void *context)
{
    const struct start start = *(struct start *)context;
    void *result;
    free(context);
    pthread_cleanup_push(leave, NULL);
    result = start.run(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int create(pthread_t *thread, const pthread_attr_t *how, void *(*task)(void *),
                  void *context)
{
    create_function *next = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    return next ? next(thread, how, task, context) : 11;
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict how,
                   void *(*task)(void *), void *restrict argument)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return 11; /* EAGAIN */
    *start = (struct start){task, argument};
    const int now = atomic_fetch_add(&running, 1) + 1;
    int before = atomic_load(&most);
    while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
        ;
    const int failed = create(thread, how, run, start);
    if (failed) {
        atomic_fetch_sub(&running, 1);
        free(start);
    }
    return failed;
}

int32_t callable_threads(void)
{
    return atomic_load(&most);
}
