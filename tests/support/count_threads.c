/* To be loaded before a program: "THREADS n" on standard error at its end, those that it started.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
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

__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "THREADS %ld\n", started);
}
