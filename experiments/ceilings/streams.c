#include "experiments/ceilings/streams.h"

#include "experiments/ceilings/crew.h"
#include "harness/machine/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const int64_t memory_buffer = (int64_t)256 << 20; /* over all workers, at the least */

const struct stream_pass stream_passes[] = {
    {"read", "", 0.0, ISA_VARIANTS(loop_read)},
    {"copy", "ordinary", 0.5, ISA_VARIANTS(loop_copy)},
    {"copy", "streaming", 0.5, ISA_VARIANTS(loop_copy_streaming)},
    {"pool", "ordinary", 0.2, ISA_VARIANTS(loop_pool)},
    {"pool", "streaming", 0.2, ISA_VARIANTS(loop_pool_streaming)},
};
const size_t stream_pass_count = sizeof stream_passes / sizeof *stream_passes;

/* A worker's buffers; a cache line of its own, so that workers do not share one. */
struct streamer {
    _Alignas(64) float *image;
    float *map; /* behind the image, in the same buffer */
    float seen;
};

struct streams {
    stream_loop *loop;
    int64_t floats; /* of an image */
    size_t bytes;   /* of a worker's buffer */
    struct streamer *streamers;
};

/* Ordinary values: denormal ones would slow the maxima down. */
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

/* Splits a buffer so that a map of the pass's share lies behind the image. */
static struct streams make_streams(const struct stream_level *level, size_t pass)
{
    const double share = stream_passes[pass].write_share;
    const int64_t floats = (int64_t)((1.0 - share) * (double)level->buffer_bytes) / 4;
    struct streams s = {.loop = stream_passes[pass].run[isa_best()],
                        .floats = floats / LOOP_STEP * LOOP_STEP};
    if (s.floats == 0)
        s.floats = LOOP_STEP;
    s.bytes = (size_t)((double)s.floats / (1.0 - share)) * sizeof(float);
    return s;
}

enum status stream_measure(const struct stream_level *level, size_t pass, int64_t workers,
                           double *bytes, struct summary *seconds, struct failure *f)
{
    struct streams s = make_streams(level, pass);
    enum status status = allocate(&s, workers, f);
    const struct crew_task task = {touch, pass_over, &s};
    if (status == STATUS_OK)
        status = crew_measure(&task, workers, seconds, f);
    *bytes = (double)s.bytes * (double)workers;
    for (int64_t w = 0; s.streamers && w < workers; w++)
        free(s.streamers[w].image);
    free(s.streamers);
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
