#include "experiments/limits/thread_team.h"

#include "harness/base/clock.h"
#include "harness/base/statistics.h"
#include "harness/machine/machine.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* Long compared with the clock's resolution and a barrier, and short compared with the time slices
 * in which other programs take the core away. */
static const double sample_seconds = 0.001;
static const double all_seconds = 0.01; /* of all samples; once it has passed, TEAM_SAMPLES_LEAST
                                         * samples are enough */

struct thread_team;

struct member {
    struct thread_team *thread_team;
    int64_t index;
    double seconds; /* of the last sample */
};

struct thread_team {
    const struct team_task *task;
    pthread_mutex_t gate; /* locked until every thread is started */
    bool abandoned;       /* a thread could not be started: the others return at once */
    pthread_barrier_t barrier;
    size_t repeats; /* per sample; found by the first worker */
    double samples[TEAM_SAMPLES];
    size_t count;  /* of `samples` */
    bool finished; /* set by the first worker, read by all after the barrier */
    int64_t workers;
    struct member *members;
};

static void clocked_run(struct member *m, size_t repeats)
{
    const struct team_task *task = m->thread_team->task;
    const double start = clock_now();
    task->run(task->context, m->index, repeats);
    m->seconds = clock_now() - start;
}

/* Returns the number of repetitions that takes at least sample_seconds; it is doubled until then.
 * One repetition before them fills the caches. Each number is tried three times, so that one
 * interruption is not mistaken for the work. */
static size_t find_repeats(struct member *m)
{
    clocked_run(m, 1);
    for (size_t repeats = 1;; repeats *= 2) {
        double least = INFINITY;
        for (int attempt = 0; attempt < 3; attempt++) {
            clocked_run(m, repeats);
            least = fmin(least, m->seconds);
        }
        if (least >= sample_seconds)
            return repeats;
    }
}

static double slowest(const struct thread_team *thread_team)
{
    double seconds = 0.0;
    for (int64_t w = 0; w < thread_team->workers; w++)
        seconds = fmax(seconds, thread_team->members[w].seconds);
    return seconds;
}

static bool is_enough(const struct thread_team *thread_team, double spent)
{
    return thread_team->count == TEAM_SAMPLES ||
           (thread_team->count >= TEAM_SAMPLES_LEAST && spent > all_seconds);
}

/* Takes samples in step with the other workers until the first worker finds that they suffice. */
static void take_samples(struct member *m)
{
    struct thread_team *thread_team = m->thread_team;
    const double start = clock_now();
    for (;;) {
        pthread_barrier_wait(&thread_team->barrier);
        if (thread_team->finished)
            return;
        clocked_run(m, thread_team->repeats);
        pthread_barrier_wait(&thread_team->barrier);
        if (m->index == 0) {
            thread_team->samples[thread_team->count++] =
                slowest(thread_team) / (double)thread_team->repeats;
            thread_team->finished = is_enough(thread_team, clock_now() - start);
        }
    }
}

/* What a worker does: touches its memory first, then takes samples. */
static void *work(void *argument)
{
    struct member *m = argument;
    struct thread_team *thread_team = m->thread_team;
    struct failure ignored = {0};
    pthread_mutex_lock(&thread_team->gate);
    pthread_mutex_unlock(&thread_team->gate);
    if (thread_team->abandoned)
        return NULL;
    machine_bind_thread(m->index, BIND_CORE, &ignored); /* binding helps where it is possible; a
                                                         * failure does not matter */
    if (thread_team->task->begin)
        thread_team->task->begin(thread_team->task->context, m->index);
    if (m->index == 0 && thread_team->repeats == 0)
        thread_team->repeats = find_repeats(m);
    take_samples(m);
    return NULL;
}

/* The barrier opens only for all workers. Therefore `gate` holds every worker back until all
 * threads are started. */
static enum status run_team(struct thread_team *thread_team, pthread_t *threads, struct failure *f)
{
    int64_t made = 0;
    if (pthread_barrier_init(&thread_team->barrier, NULL, (unsigned)thread_team->workers) != 0)
        return fail(f, STATUS_RESOURCE, "no barrier for %lld threads",
                    (long long)thread_team->workers);
    pthread_mutex_init(&thread_team->gate, NULL);
    pthread_mutex_lock(&thread_team->gate);
    while (made < thread_team->workers &&
           pthread_create(&threads[made], NULL, work, &thread_team->members[made]) == 0)
        made++;
    thread_team->abandoned = made < thread_team->workers;
    pthread_mutex_unlock(&thread_team->gate);
    for (int64_t w = 0; w < made; w++)
        pthread_join(threads[w], NULL);
    pthread_mutex_destroy(&thread_team->gate);
    pthread_barrier_destroy(&thread_team->barrier);
    return thread_team->abandoned
               ? fail(f, STATUS_RESOURCE, "only %lld of %lld threads could be made",
                      (long long)made, (long long)thread_team->workers)
               : STATUS_OK;
}

enum status thread_team_measure(const struct team_task *task, int64_t workers, size_t *repeats,
                                double *seconds, struct failure *f)
{
    struct thread_team thread_team = {.task = task, .workers = workers, .repeats = *repeats};
    pthread_t *threads = calloc((size_t)workers, sizeof *threads);
    thread_team.members = calloc((size_t)workers, sizeof *thread_team.members);
    enum status status =
        threads && thread_team.members
            ? STATUS_OK
            : fail(f, STATUS_RESOURCE, "no memory for %lld workers", (long long)workers);
    for (int64_t w = 0; status == STATUS_OK && w < workers; w++)
        thread_team.members[w] = (struct member){.thread_team = &thread_team, .index = w};
    if (status == STATUS_OK)
        status = run_team(&thread_team, threads, f);
    if (status == STATUS_OK) {
        *seconds = median_of(thread_team.samples, thread_team.count);
        *repeats = thread_team.repeats;
    }
    free(thread_team.members);
    free(threads);
    return status;
}
