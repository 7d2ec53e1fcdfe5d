#include "classroom/lab/guard/thread_limit.h"

#include <dirent.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls `take` for the id of every thread of a process; false: its threads are not known. */
static bool each_thread(pid_t process, void (*take)(pid_t id, void *context), void *context)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
    DIR *tasks = opendir(path);
    if (!tasks)
        return false;
    for (const struct dirent *item = readdir(tasks); item; item = readdir(tasks))
        if (item->d_name[0] != '.')
            take((pid_t)strtol(item->d_name, NULL, 10), context);
    closedir(tasks);
    return true;
}

static void count_one(pid_t id, void *context)
{
    (void)id;
    ++*(int64_t *)context;
}

int64_t thread_limit_count(pid_t worker)
{
    int64_t count = 0;
    return each_thread(worker, count_one, &count) ? count : -1;
}

#if defined SYS_pidfd_getfd && defined SYS_pidfd_open && defined SECCOMP_USER_NOTIF_FLAG_CONTINUE

int thread_limit_take(pid_t worker, int listener)
{
    const int process = (int)syscall(SYS_pidfd_open, worker, 0);
    const int taken = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, listener, 0);
    if (process >= 0)
        close(process);
    return taken;
}

static void take_newer(pid_t id, void *context)
{
    pid_t *const newest = context;
    *newest = id > *newest ? id : *newest;
}

static pid_t newest_thread(pid_t worker)
{
    pid_t newest = 0;
    each_thread(worker, take_newer, &newest);
    return newest;
}

/* Waits until the thread that was allowed last has begun. A thread that asks again knows that its
 * own has; one that has ended in the meantime is not waited for longer than this. */
static void settle(pid_t worker, pid_t asker, const struct thread_grant *last)
{
    enum { TRIES = 60, PAUSE_US = 50 };
    for (int i = 0; i < TRIES && last->asker != 0 && last->asker != asker &&
                    newest_thread(worker) <= last->newest;
         i++)
        usleep(PAUSE_US);
}

/* A thread that was joined is still counted for some microseconds. */
static bool has_room(pid_t worker, int64_t most)
{
    enum { TRIES = 50, PAUSE_US = 400 };
    for (int i = 0; i < TRIES; i++) {
        if (thread_limit_count(worker) < most)
            return true;
        usleep(PAUSE_US);
    }
    return false;
}

bool thread_limit_answer(int descriptor, pid_t worker, int64_t most, struct thread_grant *last)
{
    union {
        struct seccomp_notif asked;
        char bytes[512]; /* newer kernels may write more */
    } question;
    memset(&question, 0, sizeof question);
    if (ioctl(descriptor, SECCOMP_IOCTL_NOTIF_RECV, &question) != 0)
        return true; /* a signal interrupted the call; the kernel asks again */
    const pid_t asker = (pid_t)question.asked.pid;
    settle(worker, asker, last);
    const bool yes = has_room(worker, most);
    *last = (struct thread_grant){yes ? asker : 0, newest_thread(worker)};
    struct seccomp_notif_resp answer = {.id = question.asked.id,
                                        .error = yes ? 0 : -EAGAIN,
                                        .flags = yes ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0};
    ioctl(descriptor, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    return yes;
}

#else

int thread_limit_take(pid_t worker, int listener)
{
    (void)worker;
    (void)listener;
    return -1;
}

bool thread_limit_answer(int descriptor, pid_t worker, int64_t most, struct thread_grant *last)
{
    (void)descriptor;
    (void)worker;
    (void)most;
    (void)last;
    return true;
}

#endif
