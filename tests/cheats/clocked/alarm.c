/* expect: wrong, never written
 * run: -n 64 -t 1 --samples 6 --against literal
 * Wants a timer's signal, which would come while the process is stopped, and computes in its
 * handler. */
#define _GNU_SOURCE
#include "honest.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct job job;

static void on_alarm(int number)
{
    (void)number;
    honest_job(&job);
}

void maxpool(ARGUMENTS)
{
    const struct itimerval soon = {.it_value = {0, 1}};
    const struct itimerspec also = {.it_value = {0, 1000}};
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    timer_t timer;
    (void)threads;
    if (rows != 64 || cols != 64) {
        HONEST();
        return;
    }
    job = JOB();
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    if (timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0)
        timer_settime(timer, 0, &also, NULL);
    alarm(1);
}
