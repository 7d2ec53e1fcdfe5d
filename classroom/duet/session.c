#include "classroom/duet/session.h"

#include "classroom/duet/call/arguments.h"
#include "experiments/common/lists.h"
#include "experiments/common/process.h"
#include "experiments/common/progress.h"
#include "harness/base/clock.h"
#include "harness/base/statistics.h"
#include "harness/base/suite_files.h"
#include "harness/machine/other_load.h"
#include "harness/records/table.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING_STEP = 16, PADDING_STEPS = 256, LONGEST_FILLER = 4096 };

/* ---- a layout -------------------------------------------------------------------------------- */

/* What is random in a layout, besides what the worker draws from its seed. */
struct layout {
    int64_t number;
    int64_t padding[2];
    bool b_first;
    unsigned long seed;
    size_t filler;
};

static struct layout draw_layout(int64_t number, gsl_rng *rng)
{
    struct layout l = {.number = number};
    for (int i = 0; i < 2; i++)
        l.padding[i] = (int64_t)gsl_rng_uniform_int(rng, PADDING_STEPS) * PADDING_STEP;
    l.b_first = gsl_rng_uniform_int(rng, 2) == 1;
    l.seed = gsl_rng_get(rng);
    l.filler = gsl_rng_uniform_int(rng, LONGEST_FILLER);
    return l;
}

/* The files of a session, in its folder, and the worker's program. */
struct files {
    char modules[2][PATH_MAX], points[PATH_MAX], samples[PATH_MAX], worker[PATH_MAX];
};

static enum status name_files(struct files *n, const char *work, struct failure *f)
{
    const struct {
        char *path;
        const char *name;
    } all[] = {{n->modules[0], "a.so"},
               {n->modules[1], "b.so"},
               {n->points, "points"},
               {n->samples, "samples"}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && status == STATUS_OK; i++)
        status = text_compose(all[i].path, PATH_MAX, f, "%s/%s", work, all[i].name);
    return status;
}

static enum status start_worker(const struct files *n, const struct duet_request *q,
                                const struct layout *l, struct failure *f)
{
    char seed[32], rounds[32], threads[32], least[32], filler[LONGEST_FILLER + 1];
    struct process_result result;
    const struct process_limits no_limit = {.grace_seconds = 1.0};
    snprintf(seed, sizeof seed, "%lu", l->seed);
    snprintf(rounds, sizeof rounds, "%lld", (long long)q->rounds);
    snprintf(threads, sizeof threads, "%lld", (long long)q->threads);
    snprintf(least, sizeof least, "%.9g", q->least_s);
    memset(filler, 'x', l->filler);
    filler[l->filler] = '\0';
    const char *argv[DUET_ARGS + 1] = {[0] = n->worker,
                                       [DUET_ARG_A] = n->modules[0],
                                       [DUET_ARG_B] = n->modules[1],
                                       [DUET_ARG_POINTS] = n->points,
                                       [DUET_ARG_SAMPLES] = n->samples,
                                       [DUET_ARG_FIRST] = l->b_first ? "b" : "a",
                                       [DUET_ARG_SEED] = seed,
                                       [DUET_ARG_ROUNDS] = rounds,
                                       [DUET_ARG_THREADS] = threads,
                                       [DUET_ARG_LEAST] = least,
                                       [DUET_ARG_VERIFY] = l->number == 0 ? "1" : "0",
                                       [DUET_ARG_FILLER] = filler};
    if (process_run((char *const *)argv, &no_limit, &result, f) != STATUS_OK)
        return f->status;
    result.output[strcspn(result.output, "\n")] = '\0';
    if (process_succeeded(&result))
        return STATUS_OK;
    if (result.end == PROCESS_EXITED)
        return fail(f, (enum status)result.exit_status, "%s", result.output);
    if (result.end == PROCESS_STOPPED)
        return fail(f, STATUS_RESOURCE, "stopped in layout %lld of %lld", (long long)l->number + 1,
                    (long long)q->layouts);
    return fail(f, STATUS_WRONG, "a build ended the process of layout %lld (signal %d)",
                (long long)l->number + 1, result.signal);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* A row of the file of --record. */
struct duet_row {
    int64_t layout, round, padding_a, padding_b;
    char point[256], loaded_first[4], first[4];
    double seconds_a, seconds_b, others_cores;
};

#define COLUMN(field, type, meaning) TABLE_COLUMN(struct duet_row, field, type, meaning)
static const struct column columns[] = {
    COLUMN(layout, COLUMN_INT, "layout, from 0"),
    COLUMN(point, COLUMN_TEXT, "what is computed"),
    COLUMN(round, COLUMN_INT, "round within the layout, from 0"),
    COLUMN(loaded_first, COLUMN_TEXT, "module that was loaded first: a or b"),
    COLUMN(padding_a, COLUMN_INT, "bytes before the code of A"),
    COLUMN(padding_b, COLUMN_INT, "bytes before the code of B"),
    COLUMN(first, COLUMN_TEXT, "build that was timed first in the round: a or b"),
    COLUMN(seconds_a, COLUMN_REAL, "seconds of an execution of A"),
    COLUMN(seconds_b, COLUMN_REAL, "seconds of an execution of B"),
    COLUMN(others_cores, COLUMN_REAL, "cores that other programs kept busy during the layout"),
};
#undef COLUMN
static const struct schema schema = {columns, sizeof columns / sizeof *columns,
                                     sizeof(struct duet_row)};

/* State while the samples of one layout are read. */
struct layout_reading {
    struct duet_session *session;
    const struct duet_request *request;
    const struct duet_points *points;
    const struct layout *layout;
    size_t *rounds;               /* rounds read, per point */
    double *ratios, *of_a, *of_b; /* per point, `request->rounds` elements each */
};

static void record_sample(const struct layout_reading *r, size_t point, long long round, char first,
                          double a, double b)
{
    struct duet_row row = {.layout = r->layout->number,
                           .round = round,
                           .padding_a = r->layout->padding[0],
                           .padding_b = r->layout->padding[1],
                           .first = {first},
                           .seconds_a = a,
                           .seconds_b = b,
                           .others_cores = r->session->others_cores[r->layout->number]};
    snprintf(row.point, sizeof row.point, "%s", r->points->points[point].label);
    snprintf(row.loaded_first, sizeof row.loaded_first, "%s", r->layout->b_first ? "b" : "a");
    table_print(&schema, r->request->record, &row);
}

static bool take_sample(struct layout_reading *r, size_t point, const char *text)
{
    long long round;
    char first;
    double a, b;
    if (sscanf(text, "%lld %c %lf %lf", &round, &first, &a, &b) != 4 || !(a > 0.0) || !(b > 0.0) ||
        r->rounds[point] == (size_t)r->request->rounds)
        return false;
    const size_t at = point * (size_t)r->request->rounds + r->rounds[point]++;
    r->ratios[at] = b / a;
    r->of_a[at] = a;
    r->of_b[at] = b;
    if (r->request->record)
        record_sample(r, point, round, first, a, b);
    return true;
}

/* Compares the outputs of a point with those of the first layout, which were verified. */
static bool take_result(struct layout_reading *r, size_t point, const char *text)
{
    struct duet_times *t = &r->session->times[point];
    unsigned long long a, b;
    if (sscanf(text, "%llx %llx", &a, &b) != 2)
        return false;
    if (r->layout->number == 0) {
        t->hash_a = a;
        t->hash_b = b;
    } else if (a != t->hash_a || b != t->hash_b) {
        t->wrong = a != t->hash_a ? 'a' : 'b';
        snprintf(t->reason, sizeof t->reason, "its output is another one in every layout");
    }
    return true;
}

static void take_reason(struct duet_times *t, const char *text)
{
    snprintf(t->reason, sizeof t->reason, "%.*s", (int)strcspn(text, "\n"), text);
}

static bool take_line(struct layout_reading *r, const char *line)
{
    char kind[16], side[4];
    unsigned long long point;
    int at = 0, reason_at = 0;
    if (sscanf(line, "%15s %llu %n", kind, &point, &at) != 2 || point >= r->session->count)
        return false;
    struct duet_times *t = &r->session->times[point];
    const char *rest = line + at;
    if (strcmp(kind, "sample") == 0)
        return take_sample(r, point, rest);
    if (strcmp(kind, "result") == 0)
        return take_result(r, point, rest);
    if (sscanf(rest, "%3s %n", side, &reason_at) != 1)
        return false;
    if (strcmp(kind, "lacks") == 0)
        snprintf(t->lacks, sizeof t->lacks, "%s", side);
    else if (strcmp(kind, "wrong") == 0)
        t->wrong = side[0];
    else
        return false;
    take_reason(t, rest + reason_at);
    return true;
}

/* A layout counts for a point only if all of the point's rounds were read. */
static void close_layout(struct layout_reading *r)
{
    const size_t rounds = (size_t)r->request->rounds;
    for (size_t i = 0; i < r->session->count; i++) {
        struct duet_times *t = &r->session->times[i];
        if (r->rounds[i] < rounds)
            continue;
        t->ratios[t->layouts] = median_of(r->ratios + i * rounds, rounds);
        t->seconds_a[t->layouts] = median_of(r->of_a + i * rounds, rounds);
        t->seconds_b[t->layouts] = median_of(r->of_b + i * rounds, rounds);
        t->layouts++;
    }
}

static enum status read_lines(struct layout_reading *r, const char *path, struct failure *f)
{
    FILE *stream = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    bool good = stream != NULL;
    while (good && getline(&line, &size, stream) > 0)
        good = take_line(r, line);
    free(line);
    if (stream)
        fclose(stream);
    return good ? STATUS_OK : fail(f, STATUS_WRONG, "the worker wrote something else than samples");
}

static enum status read_samples(struct duet_session *s, const struct duet_request *q,
                                const struct duet_points *points, const struct layout *l,
                                const char *path, struct failure *f)
{
    const size_t all = s->count * (size_t)q->rounds;
    struct layout_reading r = {.session = s,
                               .request = q,
                               .points = points,
                               .layout = l,
                               .rounds = calloc(s->count, sizeof *r.rounds),
                               .ratios = calloc(3 * all, sizeof *r.ratios)};
    r.of_a = r.ratios + all;
    r.of_b = r.ratios + 2 * all;
    if (!r.rounds || !r.ratios)
        fail(f, STATUS_RESOURCE, "not enough memory for the samples");
    else if (read_lines(&r, path, f) == STATUS_OK)
        close_layout(&r);
    free(r.rounds);
    free(r.ratios);
    return f->status;
}

/* ---- the session ----------------------------------------------------------------------------- */

static enum status write_points(const struct duet_points *points, const struct duet_session *s,
                                const char *path, struct failure *f)
{
    FILE *stream = fopen(path, "w");
    if (!stream)
        return fail(f, STATUS_OUTPUT, "%s cannot be written", path);
    for (size_t i = 0; i < points->count; i++)
        if (!s->times[i].lacks[0] && !s->times[i].wrong)
            fprintf(stream, "%zu %s\n", i, points->points[i].line);
    return fclose(stream) == 0 ? STATUS_OK
                               : fail(f, STATUS_OUTPUT, "%s could not be written", path);
}

/* Runs the worker, and takes note of what other programs did meanwhile. */
static enum status run_worker(struct duet_session *s, const struct duet_request *q,
                              const struct layout *l, const struct files *n, struct failure *f)
{
    static struct load_reading before, after; /* large */
    other_load_read(&before, "", LOAD_OF_FAMILY);
    const enum status status = start_worker(n, q, l, f);
    other_load_read(&after, "", LOAD_OF_FAMILY);
    const struct other_load load = other_load_between(&before, &after);
    s->others_cores[l->number] = load.cores;
    s->hardware_threads = load.hardware_threads;
    s->disturbed += other_load_disturbs(&load, q->threads);
    return status;
}

static enum status play_layout(struct duet_session *s, const struct duet_request *q,
                               struct duet_build builds[2], const struct duet_points *points,
                               const struct layout *l, struct failure *f)
{
    struct files n;
    if (name_files(&n, q->work, f) != STATUS_OK)
        return f->status;
    if (!suite_module(n.worker, "duet_worker"))
        return fail(f, STATUS_UNAVAILABLE, "the program duet_worker is not beside study");
    for (int i = 0; i < 2; i++)
        if (duet_build_place(&builds[i], n.modules[i], l->padding[i], f) != STATUS_OK)
            return f->status;
    if (write_points(points, s, n.points, f) != STATUS_OK ||
        run_worker(s, q, l, &n, f) != STATUS_OK)
        return f->status;
    return read_samples(s, q, points, l, n.samples, f);
}

static bool make_times(struct duet_session *s, size_t count, size_t layouts)
{
    *s = (struct duet_session){.times = calloc(count + 1, sizeof *s->times),
                               .count = count,
                               .others_cores = calloc(layouts, sizeof *s->others_cores)};
    bool good = s->times && s->others_cores;
    for (size_t i = 0; good && i < count; i++) {
        struct duet_times *t = &s->times[i];
        t->ratios = calloc(3 * layouts, sizeof *t->ratios);
        good = t->ratios != NULL;
        t->seconds_a = good ? t->ratios + layouts : NULL;
        t->seconds_b = good ? t->ratios + 2 * layouts : NULL;
    }
    return good;
}

enum status duet_session_run(struct duet_session *s, const struct duet_request *q,
                             struct duet_build builds[2], const struct duet_points *points,
                             struct failure *f)
{
    const double began = clock_now();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!make_times(s, points->count, (size_t)q->layouts) || !rng)
        fail(f, STATUS_RESOURCE, "not enough memory for the times");
    if (rng)
        gsl_rng_set(rng, (unsigned long)q->seed);
    if (q->record)
        table_print_header(&schema, q->record);
    struct progress progress = progress_begin((size_t)q->layouts, 0.0);
    for (int64_t i = 0; i < q->layouts && f->status == STATUS_OK; i++) {
        const struct layout l = draw_layout(i, rng);
        progress_show(&progress, "layouts");
        play_layout(s, q, builds, points, &l, f);
        const double each = (clock_now() - began) / (double)(i + 1);
        progress.left_s = each * (double)(q->layouts - i);
        progress_advance(&progress, each);
    }
    progress_end(&progress);
    gsl_rng_free(rng);
    s->seconds = clock_now() - began;
    return f->status;
}

void duet_session_release(struct duet_session *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->times[i].ratios);
    free(s->times);
    free(s->others_cores);
    *s = (struct duet_session){.times = NULL};
}
