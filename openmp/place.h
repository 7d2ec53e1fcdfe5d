/* The processor on which a thread of the team runs. */
#ifndef MAXPOOL_PLACE_H
#define MAXPOOL_PLACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct place {
    pid_t thread;
    clockid_t clock;      /* counts while the thread has a processor */
    atomic_int processor; /* on which it last began a task; -1: unknown */
};

/* Called by the thread itself: who it is; and on which processor it is now, which is returned. */
void place_introduce(struct place *p);
int place_note(struct place *p);

/* Seconds for which the thread has had a processor. */
double place_seconds(const struct place *p);

/* Moves a thread to a processor, and restores the processors that it is allowed. False if this
 * processor is not among them, or the only one. */
bool place_move(const struct place *p, int processor);

/* The first processor that the thread is allowed and that none of `count` places uses, the i-th at
 * `stride` * i bytes from the first; -1 if there is none. */
int place_unused(const struct place *p, const struct place *first, int64_t count, size_t stride);

#endif
