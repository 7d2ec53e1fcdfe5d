/* expect: late|correct, slow
 * run: -n 64 -t 2 --samples 6 --against literal
 * A thread of the first call stays, parked on a futex. Later calls wake it and return at once; it
 * sleeps for 20 ms and computes. */
#include "honest.h"

#include <pthread.h>
#include <unistd.h>

static struct job job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int wanted;

static void *parked(void *ignored)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!wanted)
            pthread_cond_wait(&work, &lock);
        wanted = 0;
        pthread_mutex_unlock(&lock);
        usleep(20000);
        honest_job(&job);
    }
    return ignored;
}

void maxpool(ARGUMENTS)
{
    static int started;
    pthread_t thread;
    (void)threads;
    if (rows != 64 || cols != 64) {
        HONEST();
        return;
    }
    pthread_mutex_lock(&lock);
    job = JOB();
    wanted = 1;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&lock);
    if (!started)
        started = pthread_create(&thread, NULL, parked, NULL) == 0;
}
