/* Starts a process in namespaces of its own. */
#ifndef MAXPOOL_APART_H
#define MAXPOOL_APART_H

#include <stdbool.h>
#include <sys/types.h>

struct apart {
    bool processes; /* it cannot name other processes; what it started ends when it ends */
    bool network;   /* it has no network device, and System V memory of its own, which ends with it
                     */
};

/* Like fork(), without the handlers of pthread_atfork(). In the child, getppid() returns 0 if
 * `processes`. *kept: the namespaces that the system gave; a container or an administrator may
 * refuse each. */
pid_t apart_fork(struct apart *kept);

#endif
