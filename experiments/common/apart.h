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

/* In the child, which has no user's id in a user namespace of its own: takes the id 0 there. It may
 * then mount, also after exec; outside it is the same user as before. Safe between fork and exec.
 */
void apart_take_root(void);

#endif
