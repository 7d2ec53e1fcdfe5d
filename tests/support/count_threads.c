/* To be preloaded into a program. At its end, prints "THREADS n" on standard error, the threads
 * that it started; and for each thread that still exists a line "CORES n from c": the number of
 * cores that it may use, and the first of them. */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int create_function(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*run)(void *), void *context);

static long started;

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*run)(void *), void *restrict context)
{
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    create_function *create;
    memcpy(&create, &symbol, sizeof create);
    __atomic_add_fetch(&started, 1, __ATOMIC_RELAXED);
    return create(thread, attributes, run, context);
}

static void count_cores(pid_t thread)
{
    cpu_set_t set;
    int first = 0;
    if (thread == 0 || sched_getaffinity(thread, sizeof set, &set) != 0)
        return;
    while (first < CPU_SETSIZE && !CPU_ISSET(first, &set))
        first++;
    fprintf(stderr, "CORES %d from %d\n", CPU_COUNT(&set), first);
}

__attribute__((destructor)) static void report(void)
{
    DIR *threads = opendir("/proc/self/task");
    fprintf(stderr, "THREADS %ld\n", started);
    for (struct dirent *entry = NULL; threads && (entry = readdir(threads));)
        count_cores((pid_t)strtol(entry->d_name, NULL, 10));
    if (threads)
        closedir(threads);
}
