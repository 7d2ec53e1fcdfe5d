#include "experiments/streams.h"

#include "harness/clock.h"
#include "harness/memory.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double sample_seconds = 0.004; /* long beside the clock's steps and a barrier */
static const int64_t memory_buffer = (int64_t)256 << 20; /* over all workers, at the least */

/* ---- reading -----------------------------------------------------------------------------------
 */

/* 64 bytes, one cache line; the compiler uses the widest registers that the clone may. */
typedef uint64_t line __attribute__((vector_size(64)));
enum { LINES = 8 }; /* independent lines per step, so that no load waits for another */

#if defined(__x86_64__) && defined(__gnu_linux__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif

/* Reads every line of the buffer; what it returns depends on all of them, so that none is skipped.
 */
WIDEST static uint64_t read_all(const line *buffer, size_t steps)
{
    line folded[LINES];
    uint64_t result = 0;
    memset(folded, 0, sizeof folded);
    for (size_t s = 0; s < steps; s++)
        for (int i = 0; i < LINES; i++)
            folded[i] |= buffer[s * LINES + (size_t)i];
    for (int i = 0; i < LINES; i++)
        for (int j = 0; j < 8; j++)
            result |= folded[i][j];
    return result;
}

/* ---- workers -----------------------------------------------------------------------------------
 */

struct crew;

struct reader {
    struct crew *crew;
    int64_t index;
    line *buffer;
    uint64_t seen;
    double seconds; /* of the last sample */
};

struct crew {
    pthread_mutex_t gate; /* held until every thread is there */
    bool abandoned;       /* one could not be made: the others go home */
    pthread_barrier_t barrier;
    size_t steps;  /* per pass over a buffer */
    size_t passes; /* per sample; found by the first worker */
    double samples[STREAM_SAMPLES];
    int64_t workers;
    struct reader *readers;
};

static void read_passes(struct reader *r, size_t passes)
{
    const double start = clock_now();
    for (size_t i = 0; i < passes; i++)
        r->seen |= read_all(r->buffer, r->crew->steps);
    r->seconds = clock_now() - start;
}

/* Passes that take about sample_seconds, after one that fills the caches. */
static size_t find_passes(struct reader *r)
{
    size_t passes = 1;
    read_passes(r, 1);
    for (;; passes *= 2) {
        read_passes(r, passes);
        if (r->seconds >= sample_seconds)
            return passes;
    }
}

/* The slowest worker's seconds. */
static double slowest(const struct crew *crew)
{
    double seconds = 0.0;
    for (int64_t w = 0; w < crew->workers; w++)
        seconds = fmax(seconds, crew->readers[w].seconds);
    return seconds;
}

/* A worker's life: touch its buffer first, then sample in step with the others. */
static void *work(void *argument)
{
    struct reader *r = argument;
    struct crew *crew = r->crew;
    struct failure ignored = {0};
    pthread_mutex_lock(&crew->gate);
    pthread_mutex_unlock(&crew->gate);
    if (crew->abandoned)
        return NULL;
    machine_bind_thread(r->index, &ignored); /* a help where it can be had */
    memset(r->buffer, (int)(r->index & 0x7f), crew->steps * LINES * sizeof *r->buffer);
    if (r->index == 0)
        crew->passes = find_passes(r);
    for (int sample = 0; sample < STREAM_SAMPLES; sample++) {
        pthread_barrier_wait(&crew->barrier);
        read_passes(r, crew->passes);
        pthread_barrier_wait(&crew->barrier);
        if (r->index == 0)
            crew->samples[sample] = slowest(crew);
    }
    return NULL;
}

static enum status give_buffers(struct crew *crew, struct failure *f)
{
    const size_t bytes = crew->steps * LINES * sizeof(line);
    enum status status =
        memory_check(memory_multiply(bytes, (size_t)crew->workers), "the buffers to stream", f);
    for (int64_t w = 0; status == STATUS_OK && w < crew->workers; w++) {
        crew->readers[w].crew = crew;
        crew->readers[w].index = w;
        status = memory_allocate((void **)&crew->readers[w].buffer, bytes, "a buffer", f);
    }
    return status;
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
           pthread_create(&threads[made], NULL, work, &crew->readers[made]) == 0)
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

enum status stream_measure(const struct stream_level *level, int64_t workers, double *bytes,
                           struct summary *seconds, struct failure *f)
{
    struct crew crew = {.workers = workers,
                        .steps = (size_t)level->buffer_bytes / (LINES * sizeof(line))};
    pthread_t *threads = calloc((size_t)workers, sizeof *threads);
    crew.readers = calloc((size_t)workers, sizeof *crew.readers);
    enum status status =
        threads && crew.readers && crew.steps > 0
            ? give_buffers(&crew, f)
            : fail(f, STATUS_RESOURCE, "no memory to stream level %s", level->name);
    if (status == STATUS_OK)
        status = run_crew(&crew, threads, f);
    if (status == STATUS_OK) {
        *bytes = (double)(crew.passes * crew.steps * LINES * sizeof(line)) * (double)workers;
        *seconds = summarise(crew.samples, STREAM_SAMPLES);
    }
    for (int64_t w = 0; crew.readers && w < workers; w++)
        free(crew.readers[w].buffer);
    free(crew.readers);
    free(threads);
    return status;
}

size_t stream_levels(const struct machine *m, int64_t workers,
                     struct stream_level levels[STREAM_LEVELS])
{
    static const char *const names[] = {"", "L1", "L2", "L3"};
    size_t count = 0;
    for (int level = 1; level <= 3; level++) {
        const int64_t cache = m->cache_bytes[level];
        if (cache <= 0)
            continue;
        const bool shared = level == 3;
        levels[count++] =
            (struct stream_level){.name = names[level],
                                  .capacity_bytes = shared ? cache : cache * workers,
                                  .buffer_bytes = shared ? cache / 2 / workers : cache / 2};
    }
    const int64_t beyond = 4 * m->cache_bytes[3];
    const int64_t all = beyond > memory_buffer ? beyond : memory_buffer;
    levels[count++] = (struct stream_level){.name = "memory", .buffer_bytes = all / workers};
    return count;
}
