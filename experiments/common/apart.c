#include "experiments/common/apart.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The user's ids outside: what the child's namespace does not know. */
static char user_map[64], group_map[64];

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
    snprintf(user_map, sizeof user_map, "0 %lu 1", (unsigned long)geteuid());
    snprintf(group_map, sizeof group_map, "0 %lu 1", (unsigned long)getegid());
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        *kept = (struct apart){.processes = true, .network = (tried[i] & CLONE_NEWNET) != 0};
        const pid_t pid = fork_with(tried[i]);
        if (pid >= 0)
            return pid;
    }
    *kept = (struct apart){.processes = false};
    return fork();
}

/* Fails where a map exists already, as without a user namespace of its own. */
static void write_map(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const ssize_t ignored = file < 0 ? 0 : write(file, text, strlen(text));
    (void)ignored;
    if (file >= 0)
        close(file);
}

void apart_take_root(void)
{
    prctl(PR_SET_DUMPABLE, 1); /* otherwise the maps belong to root, and a user cannot write them */
    write_map("/proc/self/setgroups", "deny");
    write_map("/proc/self/uid_map", user_map);
    write_map("/proc/self/gid_map", group_map);
}
