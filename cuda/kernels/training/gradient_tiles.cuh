/* Shared by the kernels of the weight gradient: the tile of weights that a block computes, the
 * pieces of the batch that it sums, and the terms of a window. */
#ifndef MAXPOOL_CUDA_GRADIENT_TILES_CUH
#define MAXPOOL_CUDA_GRADIENT_TILES_CUH

#include "cuda/kernels/conv.cuh"
#include "cuda/kernels/training/training.h"

/* A block's part of the weights of one group. */
template <class INT> struct weight_tile {
    INT group, filter, term; /* the first ones */
    INT slice;               /* the piece, or 0 if a block sums all pieces */
};

/* Element (i, j) of a channel of the group. */
template <class INT> struct window_term {
    INT channel;
    int i, j;
};

/* Returns the parts of `each` elements, the last one perhaps of fewer. */
static __host__ __device__ __forceinline__ int64_t parts_of(int64_t elements, int64_t each)
{
    return (elements - 1) / each + 1;
}

static __host__ __device__ __forceinline__ int64_t terms_of(const struct conv_task &t)
{
    return t.depth * t.kernel * t.kernel;
}

template <int FILTERS, int TERMS, class INT>
static __device__ __forceinline__ struct weight_tile<INT>
weight_tile_of(const struct conv_task &t) {
    const INT across = (INT)parts_of(terms_of(t), TERMS), down = (INT)parts_of(t.filters, FILTERS);
    const INT line = (INT)blockIdx.x / across, group = line / down;
    struct weight_tile<INT> tile;
    tile.term = ((INT)blockIdx.x - line * across) * TERMS;
    tile.filter = (line - group * down) * FILTERS;
    tile.slice = group / (INT)t.groups;
    tile.group = group - tile.slice * (INT)t.groups;
    return tile;
}

/* Returns the begin of part `part` if `units` are cut into near-equal parts, the larger ones
 * first. */
template <class INT>
static __device__ __forceinline__ INT part_begin(INT units, INT parts, INT part)
{
    const INT each = units / parts, more = units - each * parts;
    return each * part + (part < more ? part : more);
}

/* Returns the first image of a piece of a shard. Pieces are numbered through all shards. */
template <class INT>
static __device__ __forceinline__ INT piece_begin(const struct gradient_task &g, INT piece)
{
    const INT pieces = (INT)g.pieces, shards = (INT)g.shards;
    const INT shard = piece / pieces, images = (INT)g.conv.images;
    if (shard == shards)
        return images;
    const INT first = part_begin<INT>(images, shards, shard);
    const INT count = part_begin<INT>(images, shards, shard + 1) - first;
    return first + part_begin<INT>(count, pieces, piece - shard * pieces);
}

template <class INT>
static __device__ __forceinline__ struct window_term<INT> term_at(const struct conv_task &t,
                                                                  INT number) {
    const INT line = quotient(number, t.by.kernel);
    struct window_term<INT> term;
    term.j = (int)(number - line * (INT)t.kernel);
    term.channel = quotient(line, t.by.kernel);
    term.i = (int)(line - term.channel * (INT)t.kernel);
    return term;
}

#endif
