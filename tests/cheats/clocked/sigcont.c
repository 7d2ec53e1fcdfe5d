/* expect: hand_over|correct, slow
 * run: -n 64 -t 1 --samples 10 --against literal
 * Computes, and sleeps for 20 ms, in a handler of SIGCONT: when it is let go on, before it reads
 * the order. Written when `study lab` was attacked as an enemy of a grader would. */
#define _GNU_SOURCE
#include "honest.h"
#include <signal.h>
#include <time.h>
static struct job job;
static volatile int done;
static void on_cont(int n)
{
    (void)n;
    if (!job.map)
        return;
    const struct timespec pause = {0, 20000000};
    nanosleep(&pause, 0);
    honest_job(&job);
    done = 1;
}
void maxpool(ARGUMENTS)
{
    (void)threads;
    if (done && job.rows == rows && job.cols == cols && job.k == k && job.image == image &&
        job.map == map) {
        done = 0;
        return;
    }
    struct sigaction a = {.sa_handler = on_cont, .sa_flags = SA_RESTART};
    sigaction(SIGCONT, &a, 0);
    HONEST();
    if (rows != 64 || cols != 64)
        return;
    job = JOB();
    done = 0;
}
