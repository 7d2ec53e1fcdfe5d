/* How `winograd` cuts its work, for the method itself and its scratch alike. */
#ifndef MAXPOOL_CONV_WINOGRAD_TILES_H
#define MAXPOOL_CONV_WINOGRAD_TILES_H

#include "kernels/conv/shape.h"

/* A tile is 4 x 4 cells and gives 2 x 2 outputs. CHUNK_TILES tiles are transformed, multiplied by
 * FILTER_BLOCK filters at a time, and transformed back. */
enum { TILE_CELLS = 16, CHUNK_TILES = 96, FILTER_BLOCK = 60 };

/* Tiles across an output row. */
static inline int64_t tiles_across(const struct conv_shape *s)
{
    return (s->out_cols + 1) / 2;
}

/* Cells of a row of an image, padded, that the tiles across read; vectors may read as much again
 * as one of them is wide, twice over. */
static inline int64_t padded_row(const struct conv_shape *s)
{
    return 2 * tiles_across(s) + 2 + 64;
}

#endif
