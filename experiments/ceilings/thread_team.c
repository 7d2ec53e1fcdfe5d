#include "experiments/ceilings/thread_team.h"

#include "harness/base/clock.h"
#include "harness/machine/machine.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* Long beside the clock's steps and a barrier, and short beside the slices of time in which others
 * take the core away. */
static const double sample_seconds = 0.001;
static const double all_seconds = 0.1; /* of the samples, when they are many enough */

struct crew;

struct member {
    struct crew *crew;
    int64_t index;
    double seconds; /* of the last sample */
};

struct crew {
    const struct crew_task *task;
    pthread_mutex_t gate; /* held until every thread is there */
    bool abandoned;       /* one could not be made: the others go home */
    pthread_barrier_t barrier;
    size_t repeats; /* per sample; found by the first worker */
    double samples[CREW_SAMPLES];
    size_t count;  /* of samples */
    bool finished; /* set by the first worker, read by all behind the barrier */
    int64_t workers;
    struct member *members;
};

static void clocked_run(struct member *m, size_t repeats)
{
    const struct crew_task *task = m->crew->task;
    const double start = clock_now();
    task->run(task->context, m->index, repeats);
    m->seconds = clock_now() - start;
}

/* Repeats that take about sample_seconds, after one that fills the caches; each number is tried
 * three times, so that one interruption is not taken for the work. */
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

static double slowest(const struct crew *crew)
{
    double seconds = 0.0;
    for (int64_t w = 0; w < crew->workers; w++)
        seconds = fmax(seconds, crew->members[w].seconds);
    return seconds;
}

static bool is_enough(const struct crew *crew, double spent)
{
    return crew->count == CREW_SAMPLES || (crew->count >= CREW_LEAST && spent > all_seconds);
}

/* Samples in step with the others, until the first worker finds that they are enough. */
static void take_samples(struct member *m)
{
    struct crew *crew = m->crew;
    const double start = clock_now();
    for (;;) {
        pthread_barrier_wait(&crew->barrier);
        if (crew->finished)
            return;
        clocked_run(m, crew->repeats);
        pthread_barrier_wait(&crew->barrier);
        if (m->index == 0) {
            crew->samples[crew->count++] = slowest(crew) / (double)crew->repeats;
            crew->finished = is_enough(crew, clock_now() - start);
        }
    }
}

/* A worker's life: its memory first, then the samples. */
static void *work(void *argument)
{
    struct member *m = argument;
    struct crew *crew = m->crew;
    struct failure ignored = {0};
    pthread_mutex_lock(&crew->gate);
    pthread_mutex_unlock(&crew->gate);
    if (crew->abandoned)
        return NULL;
    machine_bind_thread(m->index, &ignored); /* a help where it can be had */
    if (crew->task->begin)
        crew->task->begin(crew->task->context, m->index);
    if (m->index == 0)
        crew->repeats = find_repeats(m);
    take_samples(m);
    return NULL;
}

/* The barrier opens only for all workers, so none may reach it before all threads are made. */
static enum status run_crew(struct crew *crew, pthread_t *threads, struct failure *f)
{
    int64_t made = 0;
    if (pthread_barrier_init(&crew->barrier, NULL, (unsigned)crew->workers) != 0)
        return fail(f, STATUS_RESOURCE, "no barrier for %lld threads", (long long)crew->workers);
    pthread_mutex_init(&crew->gate, NULL);
    pthread_mutex_lock(&crew->gate);
    while (made < crew->workers &&
           pthread_create(&threads[made], NULL, work, &crew->members[made]) == 0)
        made++;
    crew->abandoned = made < crew->workers;
    pthread_mutex_unlock(&crew->gate);
    for (int64_t w = 0; w < made; w++)
        pthread_join(threads[w], NULL);
    pthread_mutex_destroy(&crew->gate);
    pthread_barrier_destroy(&crew->barrier);
    return crew->abandoned ? fail(f, STATUS_RESOURCE, "only %lld of %lld threads could be made",
                                  (long long)made, (long long)crew->workers)
                           : STATUS_OK;
}

enum status crew_measure(const struct crew_task *task, int64_t workers, struct summary *seconds,
                         struct failure *f)
{
    struct crew crew = {.task = task, .workers = workers};
    pthread_t *threads = calloc((size_t)workers, sizeof *threads);
    crew.members = calloc((size_t)workers, sizeof *crew.members);
    enum status status =
        threads && crew.members
            ? STATUS_OK
            : fail(f, STATUS_RESOURCE, "no memory for %lld workers", (long long)workers);
    for (int64_t w = 0; status == STATUS_OK && w < workers; w++)
        crew.members[w] = (struct member){.crew = &crew, .index = w};
    if (status == STATUS_OK)
        status = run_crew(&crew, threads, f);
    if (status == STATUS_OK)
        *seconds = summarise(crew.samples, crew.count);
    free(crew.members);
    free(threads);
    return status;
}
