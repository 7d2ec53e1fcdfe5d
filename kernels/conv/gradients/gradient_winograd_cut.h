/* How conv_weight_gradient_winograd cuts its work; shared by the method and the size of its
 * scratch. It depends on the shape alone. */
#ifndef MAXPOOL_CONV_GRADIENT_WINOGRAD_CUT_H
#define MAXPOOL_CONV_GRADIENT_WINOGRAD_CUT_H

#include "kernels/conv/gradients/gradient_cut.h"
#include "kernels/conv/winograd/winograd_tiles.h"

/* About how many tiles are transformed at a time; what filters are rounded up to, the widest
 * vector; the most floats of the sums (more only if GRADIENT_LANES filters need them), so that
 * those of a worker stay in the second-level cache; and the channels and filters below which
 * transforms cost more than products save. */
enum { GRADIENT_TILES = 72, GRADIENT_LANES = 16, GRADIENT_SUMS = 1 << 18, GRADIENT_LEAST = 16 };

struct gradient_tiles {
    int64_t across, down; /* tiles of an image */
    int64_t rows, images; /* rows of tiles at a time, and images */
    int64_t channels;     /* of a group, rounded up */
    int64_t filters;      /* at a time, rounded up */
};

/* Filters at a time, out of `filters`. */
static inline int64_t gradient_filters(int64_t filters, int64_t channels)
{
    const int64_t fitting = GRADIENT_SUMS / TILE_ELEMENTS / channels;
    const int64_t most = larger(fitting - fitting % GRADIENT_LANES, GRADIENT_LANES);
    return smaller(gradient_round(filters, GRADIENT_LANES), most);
}

static inline struct gradient_tiles gradient_tiles_of(const struct conv_shape *s, int64_t filters)
{
    struct gradient_tiles t = {.across = tiles_across(s), .down = (s->out_rows + 1) / 2};
    t.rows = smaller(larger(1, GRADIENT_TILES / t.across), t.down);
    t.images = t.rows == t.down ? larger(1, GRADIENT_TILES / (t.rows * t.across)) : 1;
    t.channels = gradient_round(s->channels / s->groups, GRADIENT_WIDTH);
    t.filters = gradient_filters(filters, t.channels);
    return t;
}

/* Floats of the parts of the scratch, in their order; each begins on a cache line. A tile of sums
 * may read a vector beyond the last output gradient. */
static inline int64_t gradient_tile_elements(const struct gradient_tiles *t)
{
    return (2 * t->rows + 2) * (2 * t->across + 2) * t->channels;
}

static inline int64_t gradient_tile_d_output(const struct gradient_tiles *t)
{
    return 2 * t->rows * 2 * t->across * t->filters;
}

static inline int64_t gradient_transformed_elements(const struct gradient_tiles *t)
{
    return TILE_ELEMENTS * t->images * t->rows * t->across * t->channels;
}

static inline int64_t gradient_transformed_d_output(const struct gradient_tiles *t)
{
    return TILE_ELEMENTS * t->images * t->rows * t->across * t->filters + GRADIENT_LANES;
}

static inline int64_t gradient_tile_sums(const struct gradient_tiles *t)
{
    return TILE_ELEMENTS * t->filters * t->channels;
}

#endif
