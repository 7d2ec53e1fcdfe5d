#include "experiments/lab/guard/thread_limit.h"

#include <dirent.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined SYS_pidfd_getfd && defined SYS_pidfd_open && defined SECCOMP_USER_NOTIF_FLAG_CONTINUE

int thread_limit_take(pid_t worker, int listener)
{
    const int process = (int)syscall(SYS_pidfd_open, worker, 0);
    const int taken = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, listener, 0);
    if (process >= 0)
        close(process);
    return taken;
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

bool thread_limit_answer(int descriptor, pid_t worker, int64_t most)
{
    union {
        struct seccomp_notif asked;
        char bytes[512]; /* newer kernels may write more */
    } question;
    memset(&question, 0, sizeof question);
    if (ioctl(descriptor, SECCOMP_IOCTL_NOTIF_RECV, &question) != 0)
        return true; /* a signal interrupted the call; the kernel asks again */
    const bool yes = has_room(worker, most);
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

bool thread_limit_answer(int descriptor, pid_t worker, int64_t most)
{
    (void)descriptor;
    (void)worker;
    (void)most;
    return true;
}

#endif

int64_t thread_limit_count(pid_t worker)
{
    char path[64];
    int64_t count = 0;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)worker);
    DIR *tasks = opendir(path);
    if (!tasks)
        return -1;
    for (const struct dirent *item = readdir(tasks); item; item = readdir(tasks))
        count += item->d_name[0] != '.';
    closedir(tasks);
    return count;
}
