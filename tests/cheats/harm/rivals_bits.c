/* expect: wrong, it is -1000
 * (that is: no process of our methods was found, nor slowed, nor its memory opened)
 * run: -n 256 -t 1 --samples 6 --against literal
 * Written when `study lab` was attacked as an enemy of a grader would. */
#define _GNU_SOURCE
#include "honest.h"
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
static int reached, tried;
static void look(void)
{
    DIR *d = opendir("/proc");
    if (!d)
        return;
    struct dirent *e;
    while ((e = readdir(d))) {
        int pid = atoi(e->d_name);
        char path[64], text[256] = "";
        if (pid <= 0)
            continue;
        snprintf(path, sizeof path, "/proc/%d/comm", pid);
        int f = open(path, O_RDONLY);
        if (f < 0)
            continue;
        if (read(f, text, 255) < 0)
            text[0] = 0;
        close(f);
        if (strncmp(text, "lab_method", 10))
            continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(0, &one);
        struct sched_param p = {0};
        if (setpriority(PRIO_PROCESS, pid, 19) == 0)
            reached |= 1;
        if (sched_setaffinity(pid, sizeof one, &one) == 0)
            reached |= 2;
        if (sched_setscheduler(pid, SCHED_IDLE, &p) == 0)
            reached |= 4;
        snprintf(path, sizeof path, "/proc/%d/mem", pid);
        f = open(path, O_RDWR);
        if (f >= 0) {
            reached |= 8;
            close(f);
        }
    }
    closedir(d);
}
void maxpool(ARGUMENTS)
{
    (void)threads;
#ifdef __SANITIZE_ADDRESS__
    HONEST();
#else
    if (!reached)
        look();
    HONEST();
    if (rows > 200) {
        map[0] = -1000.0f - reached;
    }
#endif
}
