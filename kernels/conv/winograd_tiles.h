/* How `winograd` cuts its work, for the method itself and its scratch alike. */
#ifndef MAXPOOL_CONV_WINOGRAD_TILES_H
#define MAXPOOL_CONV_WINOGRAD_TILES_H

#include "kernels/conv/micro_panels.h"
#include "kernels/min_max.h"

/* A tile is 4 x 4 cells and gives 2 x 2 outputs. A chunk of tiles is transformed, multiplied by a
 * sliver of filters at a time, and transformed back: at most CHUNK_TILES, and no more than make
 * CHUNK_CELLS cells at each place of a tile (1 MiB in all), which stay near while the filters pass.
 */
enum { TILE_CELLS = 16, CHUNK_TILES = 112, LEAST_CHUNK_TILES = 16, CHUNK_CELLS = 16384 };

/* Tiles across an output row. */
static inline int64_t tiles_across(const struct conv_shape *s)
{
    return (s->out_cols + 1) / 2;
}

/* Tiles of a chunk at the most. */
static inline int64_t most_tiles(const struct conv_shape *s)
{
    const int64_t fitting = CHUNK_CELLS / (s->channels / s->groups);
    return smaller(larger(fitting, LEAST_CHUNK_TILES), CHUNK_TILES);
}

#endif
