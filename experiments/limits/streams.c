#include "experiments/limits/streams.h"

#include "experiments/limits/thread_team.h"
#include "harness/base/clock.h"
#include "harness/machine/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BUFFER = 16 << 10, FLAT_SIZES = 4 }; /* bytes per worker; three doublings */
static const double least_bytes = 256.0 * 1024.0 * 1024.0, cache_times = 4.0; /* of a least set */
static const double flat_within = 1.15; /* highest rate over lowest */

const struct stream_pass stream_passes[] = {
    {"read", "", 0.0, ISA_VARIANTS(loop_read)},
    {"copy", "ordinary", 0.5, ISA_VARIANTS(loop_copy)},
    {"copy", "streaming", 0.5, ISA_VARIANTS(loop_copy_streaming)},
    {"pool", "ordinary", 0.2, ISA_VARIANTS(loop_pool)},
    {"pool", "streaming", 0.2, ISA_VARIANTS(loop_pool_streaming)},
};
const size_t stream_pass_count = sizeof stream_passes / sizeof *stream_passes;

/* A worker's buffer, on a cache line that no other worker touches. */
struct stream_buffer {
    _Alignas(64) float *block;
    size_t bytes;
    bool touched; /* by this worker, so that its pages are near this worker's core */
    float seen;
};

struct streams {
    stream_loop *loop;
    int64_t floats; /* of an image; the map follows it in the same buffer */
    size_t bytes;   /* of both */
    struct stream_buffer *buffers;
};

/* Fills a new buffer with normal values: denormal ones would slow down the maxima. No pass changes
 * them. */
static void touch(void *context, int64_t worker)
{
    const struct streams *s = context;
    struct stream_buffer *mine = &s->buffers[worker];
    if (!mine->touched)
        memset(mine->block, 0x3f, mine->bytes);
    mine->touched = true;
}

static void pass_over(void *context, int64_t worker, size_t repeats)
{
    const struct streams *s = context;
    struct stream_buffer *mine = &s->buffers[worker];
    for (size_t i = 0; i < repeats; i++)
        mine->seen += s->loop(mine->block, mine->block + s->floats, s->floats);
}

static void release_buffer(struct stream_buffer *b)
{
    free(b->block);
    *b = (struct stream_buffer){0};
}

void stream_buffers_release(struct stream_buffers *b)
{
    for (int64_t w = 0; w < b->count; w++)
        release_buffer(&b->of[w]);
    free(b->of);
    *b = (struct stream_buffers){0};
}

static size_t bytes_held(const struct stream_buffers *b)
{
    size_t bytes = 0;
    for (int64_t w = 0; w < b->count; w++)
        bytes += b->of[w].bytes;
    return bytes;
}

static enum status add_workers(struct stream_buffers *b, int64_t workers, struct failure *f)
{
    struct stream_buffer *more = NULL;
    const enum status status =
        memory_allocate((void **)&more, (size_t)workers * sizeof *more, "the workers' buffers", f);
    if (status != STATUS_OK)
        return status;
    memset(more, 0, (size_t)workers * sizeof *more);
    if (b->count)
        memcpy(more, b->of, (size_t)b->count * sizeof *more);
    free(b->of);
    *b = (struct stream_buffers){more, workers};
    return STATUS_OK;
}

/* Replaces the buffers that are too small, after all of these are released. */
static enum status grow(struct stream_buffers *b, int64_t workers, size_t bytes, struct failure *f)
{
    enum status status = workers > b->count ? add_workers(b, workers, f) : STATUS_OK;
    size_t needed = 0;
    for (int64_t w = 0; status == STATUS_OK && w < workers; w++)
        if (b->of[w].bytes < bytes) {
            release_buffer(&b->of[w]);
            needed = memory_add(needed, bytes);
        }
    if (status == STATUS_OK)
        status = memory_check(needed, "the buffers to stream", f);
    for (int64_t w = 0; status == STATUS_OK && w < workers; w++)
        if (!b->of[w].block) {
            status = memory_allocate((void **)&b->of[w].block, bytes, "a buffer", f);
            b->of[w].bytes = status == STATUS_OK ? bytes : 0;
        }
    return status;
}

/* Splits a buffer into an image and a map that follows it; the map has the pass's share. */
static struct streams make_streams(int64_t buffer_bytes, size_t pass)
{
    const double share = stream_passes[pass].write_share;
    const int64_t floats = (int64_t)((1.0 - share) * (double)buffer_bytes) / 4;
    struct streams s = {.loop = stream_passes[pass].run[isa_best()],
                        .floats = floats / LOOP_STEP * LOOP_STEP};
    if (s.floats == 0)
        s.floats = LOOP_STEP;
    s.bytes = (size_t)((double)s.floats / (1.0 - share)) * sizeof(float);
    return s;
}

enum status stream_measure(size_t pass, int64_t workers, struct stream_size *size,
                           struct stream_buffers *buffers, struct failure *f)
{
    struct streams s = make_streams(size->buffer_bytes, pass);
    struct visits *v = &size->visits;
    const struct team_task task = {touch, pass_over, &s};
    const size_t room = (size_t)size->buffer_bytes; /* the same for every pass */
    enum status status = grow(buffers, workers, s.bytes > room ? s.bytes : room, f);
    s.buffers = buffers->of;
    if (status == STATUS_OK)
        status = thread_team_measure(&task, workers, &v->repeats, &v->seconds[v->count], f);
    v->count += status == STATUS_OK;
    size->bytes = (double)s.bytes * (double)workers;
    return status;
}

/* ---- the curve ------------------------------------------------------------------------------ */

bool stream_is_flat(const struct stream_curve *c)
{
    double lowest = INFINITY, highest = 0.0;
    if (c->count < FLAT_SIZES)
        return false;
    for (size_t i = c->count - FLAT_SIZES; i < c->count; i++) {
        const double rate = c->sizes[i].bytes / c->sizes[i].visits.seconds[0];
        lowest = fmin(lowest, rate);
        highest = fmax(highest, rate);
    }
    return highest <= flat_within * lowest;
}

/* Whether to measure the next size; if not, c->end says why. `free_bytes`: of memory, as it would
 * be without the buffers. */
static bool goes_on(struct stream_curve *c, double least_set, double next_bytes, double free_bytes,
                    double seconds_left, double all_left)
{
    const bool reached = c->count && c->sizes[c->count - 1].bytes > 0.9 * least_set;
    c->end = STREAM_FLAT;
    if (reached && stream_is_flat(c))
        return false;
    c->end = STREAM_NO_MEMORY;
    if (c->count == STREAM_SIZES || (c->count && next_bytes > 0.5 * free_bytes))
        return false;
    c->end = STREAM_NO_TIME;
    return !c->count || (all_left > 0.0 && (!reached || seconds_left > 0.0));
}

enum status stream_measure_curve(size_t pass, int64_t workers, const struct stream_until *until,
                                 struct stream_curve *out, struct stream_buffers *buffers,
                                 struct failure *f)
{
    const double enough = clock_now() + until->seconds;
    int64_t buffer = FIRST_BUFFER;
    *out = (struct stream_curve){0};
    while (goes_on(out, until->least_set, (double)buffer * (double)workers,
                   (double)memory_available() + (double)bytes_held(buffers), enough - clock_now(),
                   until->end - clock_now())) {
        struct failure here = {0};
        struct stream_size *size = &out->sizes[out->count];
        size->buffer_bytes = buffer;
        const enum status status = stream_measure(pass, workers, size, buffers, &here);
        if (status == STATUS_RESOURCE && out->count) { /* another program took the memory */
            out->end = STREAM_NO_MEMORY;
            return STATUS_OK;
        }
        if (status != STATUS_OK)
            return fail(f, status, "%s", here.message);
        out->count++;
        buffer *= 2;
    }
    return STATUS_OK;
}

/* ---- caches --------------------------------------------------------------------------------- */

/* Bytes of a level's caches that these workers have together. */
static double capacity_of(const struct machine *m, int level, int64_t workers)
{
    const int64_t caches = level < 3 ? workers : m->cache_count[level];
    const int64_t theirs = caches < 1 ? 1 : caches < workers ? caches : workers;
    return (double)m->cache_bytes[level] * (double)theirs;
}

double stream_least_set(const struct machine *m, int64_t workers)
{
    double least = least_bytes;
    for (int level = 1; level <= 3; level++)
        least = fmax(least, cache_times * capacity_of(m, level, workers));
    return least;
}

struct stream_level stream_level_of(const struct machine *m, int64_t workers, double bytes)
{
    static const char *const names[] = {"", "L1", "L2", "L3"};
    for (int level = 1; level <= 3; level++) {
        const double capacity = capacity_of(m, level, workers);
        if (bytes <= capacity)
            return (struct stream_level){names[level], capacity};
    }
    return (struct stream_level){"memory", NAN};
}
