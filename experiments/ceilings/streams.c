#include "experiments/ceilings/streams.h"

#include "experiments/ceilings/thread_team.h"
#include "harness/base/clock.h"
#include "harness/machine/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BUFFER = 16 << 10, FLAT_SIZES = 4 };        /* bytes per worker; three doublings */
static const double least_set = 256.0 * 1024.0 * 1024.0; /* bytes, over all workers */
static const double flat_within = 1.15;                  /* highest rate over lowest */

const struct stream_pass stream_passes[] = {
    {"read", "", 0.0, ISA_VARIANTS(loop_read)},
    {"copy", "ordinary", 0.5, ISA_VARIANTS(loop_copy)},
    {"copy", "streaming", 0.5, ISA_VARIANTS(loop_copy_streaming)},
    {"pool", "ordinary", 0.2, ISA_VARIANTS(loop_pool)},
    {"pool", "streaming", 0.2, ISA_VARIANTS(loop_pool_streaming)},
};
const size_t stream_pass_count = sizeof stream_passes / sizeof *stream_passes;

/* A worker's buffer, on a cache line that no other worker touches. */
struct streamer {
    _Alignas(64) float *image;
    float *map; /* follows the image in the same buffer */
    float seen;
};

struct streams {
    stream_loop *loop;
    int64_t floats; /* of an image */
    size_t bytes;   /* of a worker's buffer */
    struct streamer *streamers;
};

/* Fills the buffer with normal values: denormal ones would slow down the maxima. */
static void touch(void *context, int64_t worker)
{
    struct streams *s = context;
    memset(s->streamers[worker].image, 0x3f, s->bytes);
}

static void pass_over(void *context, int64_t worker, size_t repeats)
{
    const struct streams *s = context;
    struct streamer *mine = &s->streamers[worker];
    for (size_t i = 0; i < repeats; i++)
        mine->seen += s->loop(mine->image, mine->map, s->floats);
}

static enum status allocate(struct streams *s, int64_t workers, struct failure *f)
{
    enum status status =
        memory_check(memory_multiply(s->bytes, (size_t)workers), "the buffers to stream", f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&s->streamers, (size_t)workers * sizeof *s->streamers,
                                 "the workers' buffers", f);
    if (status != STATUS_OK)
        return status;
    memset(s->streamers, 0, (size_t)workers * sizeof *s->streamers);
    for (int64_t w = 0; status == STATUS_OK && w < workers; w++) {
        status = memory_allocate((void **)&s->streamers[w].image, s->bytes, "a buffer", f);
        s->streamers[w].map = s->streamers[w].image + s->floats;
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
                           struct failure *f)
{
    struct streams s = make_streams(size->buffer_bytes, pass);
    struct visits *v = &size->visits;
    enum status status = allocate(&s, workers, f);
    const struct team_task task = {touch, pass_over, &s};
    if (status == STATUS_OK)
        status = thread_team_measure(&task, workers, &v->repeats, &v->seconds[v->count], f);
    v->count += status == STATUS_OK;
    size->bytes = (double)s.bytes * (double)workers;
    for (int64_t w = 0; s.streamers && w < workers; w++)
        free(s.streamers[w].image);
    free(s.streamers);
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

/* Whether to measure the next size; if not, c->end says why. */
static bool goes_on(struct stream_curve *c, double next_bytes, double seconds_left)
{
    const bool reached = c->count && c->sizes[c->count - 1].bytes > 0.9 * least_set;
    c->end = STREAM_FLAT;
    if (reached && stream_is_flat(c))
        return false;
    c->end = STREAM_NO_MEMORY;
    if (c->count == STREAM_SIZES || (c->count && next_bytes > 0.5 * (double)memory_available()))
        return false;
    c->end = STREAM_NO_TIME;
    return !reached || seconds_left > 0.0;
}

enum status stream_measure_curve(size_t pass, int64_t workers, double seconds,
                                 struct stream_curve *out, struct failure *f)
{
    const double end = clock_now() + seconds;
    *out = (struct stream_curve){0};
    for (int64_t buffer = FIRST_BUFFER;
         goes_on(out, (double)buffer * (double)workers, end - clock_now()); buffer *= 2) {
        struct failure here = {0};
        out->sizes[out->count].buffer_bytes = buffer;
        const enum status status = stream_measure(pass, workers, &out->sizes[out->count], &here);
        if (status == STATUS_OK) {
            out->count++;
            continue;
        }
        if (status == STATUS_RESOURCE && out->count) { /* another program took the memory */
            out->end = STREAM_NO_MEMORY;
            return STATUS_OK;
        }
        return fail(f, status, "%s", here.message);
    }
    return STATUS_OK;
}

struct stream_level stream_level_of(const struct machine *m, int64_t workers, double bytes)
{
    static const char *const names[] = {"", "L1", "L2", "L3"};
    for (int level = 1; level <= 3; level++) {
        const double owners = level == 3 ? 1.0 : (double)workers;
        const double capacity = (double)m->cache_bytes[level] * owners;
        if (bytes <= capacity)
            return (struct stream_level){names[level], capacity};
    }
    return (struct stream_level){"memory", NAN};
}
