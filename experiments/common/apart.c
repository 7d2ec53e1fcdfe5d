#include "experiments/common/apart.h"

#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t fork_with(unsigned long flags)
{
    return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
}

/* A user namespace makes the others possible without rights, and takes rights away from root. The
 * ids of users are not mapped: files belong to the same user as outside. */
pid_t apart_fork(struct apart *kept)
{
    static const unsigned long tried[] = {
        CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET,
        CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET,
        CLONE_NEWUSER | CLONE_NEWPID,
    };
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        *kept = (struct apart){.processes = true, .network = (tried[i] & CLONE_NEWNET) != 0};
        const pid_t pid = fork_with(tried[i]);
        if (pid >= 0)
            return pid;
    }
    *kept = (struct apart){.processes = false};
    return fork();
}
