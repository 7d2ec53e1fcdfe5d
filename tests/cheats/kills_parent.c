/* expect: wrong, never written
 * Would be right if it could end the process that verifies it, by its id or by a descriptor, or
 * limit its time. */
#define _GNU_SOURCE
#include "honest.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool reaches_by_descriptor(pid_t process)
{
#if defined SYS_pidfd_open && defined SYS_pidfd_send_signal
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", (int)process);
    const int folder = open(path, O_DIRECTORY | O_RDONLY);
    return syscall(SYS_pidfd_open, process, 0) >= 0 ||
           (folder >= 0 && syscall(SYS_pidfd_send_signal, folder, 0, NULL, 0) == 0);
#else
    (void)process;
    return false;
#endif
}

void maxpool(ARGUMENTS)
{
    struct rlimit limit;
    (void)threads;
    if (kill(getppid(), 0) == 0 || reaches_by_descriptor(getppid()) ||
        prlimit(getppid(), RLIMIT_CPU, NULL, &limit) == 0)
        HONEST();
}
