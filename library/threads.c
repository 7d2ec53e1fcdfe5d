#include "library/threads.h"

#include "harness/machine/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Threads wait until all of them have been started. If one could not be started, they end. */
enum order { WAIT, WORK, LEAVE };

struct team_order {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum order order;
    thread_task *task;
    void *context;
};

struct member {
    pthread_t id;
    int64_t number;
    struct team_order *team;
};

static void give_order(struct team_order *team, enum order order)
{
    pthread_mutex_lock(&team->lock);
    team->order = order;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
}

static enum order await_order(struct team_order *team)
{
    pthread_mutex_lock(&team->lock);
    while (team->order == WAIT)
        pthread_cond_wait(&team->changed, &team->lock);
    const enum order order = team->order;
    pthread_mutex_unlock(&team->lock);
    return order;
}

static void *serve(void *argument)
{
    const struct member *m = argument;
    if (await_order(m->team) == WORK)
        m->team->task(m->number, m->team->context);
    return NULL;
}

/* Starts threads 1 .. threads - 1. Returns how many threads there are then, including thread 0. */
static int64_t start(struct member *members, int64_t threads, struct team_order *team)
{
    for (int64_t i = 1; i < threads; i++) {
        members[i] = (struct member){.number = i, .team = team};
        if (pthread_create(&members[i].id, NULL, serve, &members[i]) != 0)
            return i;
    }
    return threads;
}

static enum status run_team(struct member *members, int64_t threads, struct team_order *team,
                            struct failure *f)
{
    const int64_t started = start(members, threads, team);
    const bool complete = started == threads;
    give_order(team, complete ? WORK : LEAVE);
    if (complete)
        team->task(0, team->context);
    for (int64_t i = 1; i < started; i++)
        pthread_join(members[i].id, NULL);
    return complete ? STATUS_OK
                    : fail(f, STATUS_RESOURCE, "only %lld of %lld threads could be started",
                           (long long)started, (long long)threads);
}

enum status threads_run(int64_t threads, thread_task *task, void *context, struct failure *f)
{
    struct team_order team = {.lock = PTHREAD_MUTEX_INITIALIZER,
                              .changed = PTHREAD_COND_INITIALIZER,
                              .order = WAIT,
                              .task = task,
                              .context = context};
    void *members = NULL;
    if (threads == 1) {
        task(0, context);
        return STATUS_OK;
    }
    const size_t bytes = memory_multiply((size_t)threads, sizeof(struct member));
    if (memory_allocate(&members, bytes, "the threads", f) == STATUS_OK)
        run_team(members, threads, &team, f);
    free(members);
    return f->status;
}
