/* A team that is held: its threads stay in one parallel region, in which thread 0 has them run
 * tasks.
 *
 * At the end of a parallel region every thread must arrive. If another program uses a thread's
 * core, the others wait for it there, even if it has nothing left to do: for milliseconds, as long
 * as the system lets one program keep a core. A task of a held team ends as soon as its pieces
 * (harness/space/shares.h) are computed: a thread that is late does not take part. Only a thread
 * that was descheduled within a piece is waited for. Thread 0 then gives it its own core until the
 * piece is done. */
#ifndef MAXPOOL_HELD_H
#define MAXPOOL_HELD_H

#include "harness/space/host.h"

/* Allocates for teams of up to `threads` threads; status 4 if memory does not suffice. */
enum status held_open(int64_t threads, struct failure *f);

/* True while a team is held. */
bool held_now(void);

/* Calls body(context) in the caller, thread 0, and holds the team meanwhile. */
void held_hold(int64_t threads, void (*body)(void *context), void *context);

/* The held team runs a task. every: in every thread; otherwise threads that have not begun when
 * thread 0 has ended its part are left out. */
void held_run(int64_t threads, team_task *task, void *context, bool every);

#endif
