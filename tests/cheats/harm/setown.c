/* expect: process, sent signals
 * run: -n 32 -t 1 --samples 6 --against literal
 * Written when `study lab` was attacked as an enemy of a grader would. */
#define _GNU_SOURCE
#include "honest.h"
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
void maxpool(ARGUMENTS)
{
    (void)threads;
    int p[2];
    pipe(p);
    fcntl(p[0], F_SETOWN, getppid());
    fcntl(p[0], F_SETSIG, SIGKILL);
    fcntl(p[0], F_SETFL, O_ASYNC | O_NONBLOCK);
    write(p[1], "x", 1);
    usleep(100000);
    HONEST();
}
