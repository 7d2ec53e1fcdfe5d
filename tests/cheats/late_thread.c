/* expect: late, after the function had returned
 * Returns at once; a thread computes the map afterwards. */
#include "honest.h"

#include <pthread.h>
#include <unistd.h>

static struct job job;

static void *later(void *ignored)
{
    usleep(50000);
    honest_job(&job);
    return ignored;
}

void maxpool(ARGUMENTS)
{
    pthread_t thread;
    (void)threads;
    job = JOB();
    pthread_create(&thread, NULL, later, NULL);
    pthread_detach(thread);
}
