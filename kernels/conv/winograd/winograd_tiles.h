/* How the methods that transform tiles cut their work into chunks; shared by the methods and the
 * size of their scratch. */
#ifndef MAXPOOL_CONV_WINOGRAD_TILES_H
#define MAXPOOL_CONV_WINOGRAD_TILES_H

#include "kernels/conv/micro_panels.h"
#include "kernels/min_max.h"

#include <stdbool.h>

/* A tile has `side` x `side` outputs. Its elements of a channel are transformed into `elements`
 * factors, one for each product; the products are summed at `sums` places. */
struct tile_form {
    int64_t side, elements, sums;
    int64_t most; /* the most tiles of a chunk */
};

/* A chunk of tiles is transformed, multiplied by a micro-panel of filters at a time, and
 * transformed back. It has at most tile_form.most tiles, and at most CHUNK_FLOATS elements (1 MiB)
 * or LEAST_CHUNK_TILES tiles, so that its elements stay in the cache while the filters pass over
 * them. */
enum { TILE_ELEMENTS = 16, LEAST_CHUNK_TILES = 16, CHUNK_FLOATS = 262144 };

/* The most tiles of a chunk of several images; the most tiles that each of these images has (with
 * 16, images together took longer than one by one); images that fill the lanes of any vector; and
 * columns that are loaded at a time from each image. */
enum { TILES_TOGETHER = 128, FEW_TILES = 8, IMAGE_LANES = 16, IMAGE_COLS = 4 };
_Static_assert((int)TILES_TOGETHER >= FEW_TILES * IMAGE_LANES,
               "images of few tiles fill the lanes");

/* F(2 x 2, 3 x 3); F(4 x 4, 3 x 3). */
static const struct tile_form winograd_form = {2, TILE_ELEMENTS, TILE_ELEMENTS, 112};
static const struct tile_form winograd4_form = {4, 36, 36, 56};
/* 3 x 3 at stride 2, with 2 x 2 outputs. */
static const struct tile_form winograd_strided_form = {2, 25, 9, 112};

/* Tiles along an axis with `outputs` outputs. */
static inline int64_t tiles_along(int64_t outputs, int64_t side)
{
    return (outputs + side - 1) / side;
}

/* Tiles of 2 x 2 outputs across an output row. */
static inline int64_t tiles_across(const struct conv_shape *s)
{
    return tiles_along(s->out_cols, 2);
}

/* The most tiles of a chunk. */
static inline int64_t most_tiles(const struct conv_shape *s, const struct tile_form *f)
{
    const int64_t fitting = CHUNK_FLOATS / f->elements / (s->channels / s->groups);
    return smaller(larger(fitting, LEAST_CHUNK_TILES), f->most);
}

/* Tiles of an image. */
static inline int64_t tiles_of_image(const struct conv_shape *s, const struct tile_form *f)
{
    return tiles_along(s->out_rows, f->side) * tiles_along(s->out_cols, f->side);
}

/* How many of a call's images make one chunk; 1: each has its own chunks. If an image has few
 * tiles, a transformed filter would otherwise be read for few products. The lanes of the transforms
 * are then images instead of adjacent tiles in a row, so images must fill more lanes than adjacent
 * tiles do. */
static inline int64_t images_together(const struct conv_shape *s, const struct tile_form *f,
                                      int64_t images)
{
    const int64_t tiles = tiles_of_image(s, f);
    const int64_t together = smaller(images, TILES_TOGETHER / tiles / IMAGE_LANES * IMAGE_LANES);
    const bool fills = smaller(together, IMAGE_LANES) >= 2 * tiles_along(s->out_cols, f->side);
    return tiles <= FEW_TILES && fills && s->cols >= IMAGE_COLS ? together : 1;
}

#endif
