#include "harness/records/timeline.h"

#include "harness/base/clock.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct timeline {
    struct table_writer *table;
    pthread_t thread;
    pthread_mutex_t lock; /* protects all fields below */
    pthread_cond_t stop;
    bool stopping;
    struct timeline_row row;
    double start, last_row, cpu_s; /* clocks: at the label's start, and at the last row */
    struct failure failure;        /* of the first row that could not be written */
};

#define COLUMN(field, type, meaning) TABLE_COLUMN(struct timeline_row, field, type, meaning)
static const struct column columns[] = {
    COLUMN(label, COLUMN_TEXT, "what the process was at"),
    COLUMN(phase, COLUMN_TEXT, "part of it"),
    COLUMN(seconds, COLUMN_REAL, "since the label's start"),
    COLUMN(cpu_share, COLUMN_REAL, "processors that were at work since the row before"),
    COLUMN(resident_bytes, COLUMN_REAL, "memory that the process held"),
};
#undef COLUMN

const struct schema timeline_schema = {columns, sizeof columns / sizeof columns[0],
                                       sizeof(struct timeline_row)};
_Static_assert(TABLE_LINE_FITS(struct timeline_row, columns), "a row must fit a line");

/* ---- what is sampled ------------------------------------------------------------------------- */

/* Processor seconds of all threads of the process so far. */
static double cpu_seconds(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0
               ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec
               : NAN;
}

/* Resident memory: the second number of /proc/self/statm, in pages. */
static double resident_bytes(void)
{
    long long pages;
    FILE *file = fopen("/proc/self/statm", "r");
    const bool known = file && fscanf(file, "%*s %lld", &pages) == 1;
    if (file)
        fclose(file);
    return known ? (double)pages * (double)sysconf(_SC_PAGESIZE) : RECORD_NO_REAL;
}

/* Appends a row for the time since the last row; the caller holds the lock. */
static void append_row(struct timeline *t)
{
    const double now = clock_now(), cpu_s = cpu_seconds();
    if (now - t->last_row < 1e-3) /* too short for a share */
        return;
    t->row.seconds = now - t->start;
    t->row.cpu_share = (cpu_s - t->cpu_s) / (now - t->last_row);
    t->row.resident_bytes = resident_bytes();
    t->last_row = now;
    t->cpu_s = cpu_s;
    if (t->failure.status == STATUS_OK && t->row.label[0])
        table_append(t->table, &t->row, &t->failure);
}

static void *run(void *context)
{
    struct timeline *t = context;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    pthread_mutex_lock(&t->lock);
    while (!t->stopping) {
        next.tv_nsec += 1000000000 / TIMELINE_HERTZ;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        while (!t->stopping && pthread_cond_timedwait(&t->stop, &t->lock, &next) != ETIMEDOUT)
            ;
        append_row(t);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* ---- start and stop -------------------------------------------------------------------------- */

/* Blocks all signals in the sampling thread: they are for the threads that compute. */
static bool start_thread(struct timeline *t)
{
    sigset_t all, before;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->stop, &clock);
    pthread_condattr_destroy(&clock);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool good = pthread_create(&t->thread, NULL, run, t) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

static void release(struct timeline *t)
{
    pthread_cond_destroy(&t->stop);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

enum status timeline_start(struct timeline **out, const char *path, struct failure *f)
{
    struct timeline *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return fail(f, STATUS_RESOURCE, "no memory for --timeline");
    const enum status status = table_writer_open(&t->table, &timeline_schema, path, NULL, f);
    if (status != STATUS_OK) {
        free(t);
        return status;
    }
    t->start = t->last_row = clock_now();
    t->cpu_s = cpu_seconds();
    if (!start_thread(t)) {
        table_writer_close(t->table, NULL);
        release(t);
        return fail(f, STATUS_RESOURCE, "no thread for --timeline");
    }
    *out = t;
    return STATUS_OK;
}

void timeline_label(struct timeline *t, const char *label)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    append_row(t);
    snprintf(t->row.label, sizeof t->row.label, "%s", label);
    t->row.phase[0] = 0;
    t->start = clock_now();
    pthread_mutex_unlock(&t->lock);
}

void timeline_phase(struct timeline *t, const char *phase)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    snprintf(t->row.phase, sizeof t->row.phase, "%s", phase);
    pthread_mutex_unlock(&t->lock);
}

enum status timeline_stop(struct timeline *t, struct failure *f)
{
    struct failure closing = {0};
    if (!t)
        return STATUS_OK;
    pthread_mutex_lock(&t->lock);
    t->stopping = true;
    pthread_cond_signal(&t->stop);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    const struct failure failure = t->failure;
    table_writer_close(t->table, &closing);
    release(t);
    if (failure.status != STATUS_OK)
        return fail(f, failure.status, "%s", failure.message);
    return closing.status == STATUS_OK ? STATUS_OK : fail(f, closing.status, "%s", closing.message);
}
