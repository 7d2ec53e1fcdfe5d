/* The common part of all spaces with one shared memory: an image, a map, and a team of workers,
 * each of which fills, poisons and computes its own share. A space adds only its team. */
#ifndef MAXPOOL_HOST_H
#define MAXPOOL_HOST_H

#include "harness/space/space.h"

/* One worker's part of a task; worker is 0 .. workers - 1. */
typedef void team_task(int64_t worker, void *context);

/* A team runs a task once per worker, always on the same thread for the same worker, and returns
 * when all are done. */
struct team {
    int64_t workers;
    void (*run)(int64_t workers, team_task *task, void *context);
    const struct holding *holding; /* NULL: the team is never held */
};

/* A team that is held runs many short tasks one after the other. */
struct holding {
    /* Calls body(context) in the caller, which is worker 0; the other workers wait for tasks
     * meanwhile. Calls of this team's functions may be nested in it. */
    void (*hold)(int64_t workers, void (*body)(void *context), void *context);
    /* Runs a task whose workers take pieces (harness/space/shares.h). Returns when all pieces are
     * computed; a worker that is too late for any need not run it. */
    void (*take)(int64_t workers, team_task *task, void *context);
};

void team_hold(struct team team, void (*body)(void *context), void *context);
void team_take(struct team team, team_task *task, void *context);

/* A team of one thread: the caller executes the part of every worker. */
void team_alone(int64_t workers, team_task *task, void *context);

/* Binds each worker to its own core, worker w to that of worker first + w. */
enum status team_bind(struct team team, int64_t first, enum binding binding, struct failure *f);

enum status host_open(const struct job *job, struct team team, struct instance **out,
                      struct resources *resources, struct failure *f);
enum status host_join(struct instance *first, const struct job *job, struct instance **out,
                      struct resources *resources, struct failure *f);
void host_poison(struct instance *instance);
enum status host_execute(struct instance *instance, struct phases *phases, struct failure *f);
enum status host_execute_batch(struct instance *instance, int64_t repeats, struct phases *phases,
                               struct failure *f);
void host_hold(struct instance *instance, void (*body)(void *context), void *context);
enum status host_check_guards(struct instance *instance, struct failure *f);
const float *host_map(const struct instance *instance, int64_t *first, int64_t *count);
void host_close(struct instance *instance);

#endif
