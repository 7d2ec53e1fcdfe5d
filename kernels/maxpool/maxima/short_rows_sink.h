/* Stores the outputs of short rows, which are computed in the order of the map: at once, or
 * collected in a buffer first, so that whole cache lines can bypass the caches, or whole vectors be
 * stored.
 *
 * Included by files that are compiled once per instruction set (kernels/isa.h). */
#ifndef MAXPOOL_SHORT_ROWS_SINK_H
#define MAXPOOL_SHORT_ROWS_SINK_H

#include "kernels/maxpool/maxima/maxima_strip.h"

struct short_sink {
    float *out;     /* where the next output is stored */
    float *gather;  /* NULL, or the buffer that collects outputs: gather[0] goes to line[0] */
    float *line;    /* the next cache line of the map */
    uintptr_t full; /* the buffer is flushed when `out` reaches this address */
    int64_t foreign_floats; /* first floats of `line`, which are not the block's */
    bool stream;
};

/* Floats of a cache line, and collected floats that cause a flush. */
enum { SHORT_LINE = 16, SHORT_FLUSH = MAXIMA_GATHER / 2 };

/* Returns a sink that begins at `out`. `gather` is NULL or has room for MAXIMA_GATHER floats. */
MAXIMA_INLINE struct short_sink short_sink_new(float *out, float *gather, bool stream)
{
    const int64_t past = (int64_t)((uintptr_t)out / sizeof *out % SHORT_LINE);
    if (!gather)
        return (struct short_sink){.out = out, .full = UINTPTR_MAX};
    return (struct short_sink){gather + past, gather, out - past, (uintptr_t)(gather + SHORT_FLUSH),
                               past,          stream};
}

/* Stores floats [foreign_floats, end) of a line that is not completely the block's. */
MAXIMA_INLINE void short_part(struct short_sink *sink, int64_t end)
{
    for (int64_t i = sink->foreign_floats; i < end; i++)
        sink->line[i] = sink->gather[i];
    sink->foreign_floats = 0;
}

/* Stores the whole lines; the rest moves to the beginning of the buffer. */
MAXIMA_INLINE void short_flush(struct short_sink *sink)
{
    const int64_t whole = (sink->out - sink->gather) / SHORT_LINE * SHORT_LINE;
    int64_t i = 0;
    if (whole > 0 && sink->foreign_floats > 0) {
        short_part(sink, SHORT_LINE);
        i = SHORT_LINE;
    }
    if (sink->stream)
        for (; i < whole; i += LANES)
            vec_stream(sink->line + i, vec_load(sink->gather + i));
    for (; i < whole; i += LANES)
        vec_store(sink->line + i, vec_load(sink->gather + i));
    for (i = 0; i < SHORT_LINE; i += LANES)
        vec_store(sink->gather + i, vec_load(sink->gather + whole + i));
    sink->line += whole;
    sink->out -= whole;
}

/* Stores what is left in the buffer. */
MAXIMA_INLINE void short_last(struct short_sink *sink)
{
    short_flush(sink);
    short_part(sink, sink->out - sink->gather);
}

MAXIMA_INLINE void short_finish(struct short_sink *sink)
{
    if (!sink->gather)
        return;
    short_last(sink);
    if (sink->stream)
        vec_fence();
}

/* Called after `outputs` more were stored. */
MAXIMA_INLINE void short_advance(struct short_sink *sink, int64_t outputs)
{
    sink->out += outputs;
    if ((uintptr_t)sink->out >= sink->full)
        short_flush(sink);
}

#endif
