/* The weight gradient in larger tiles, for layers that fill them. As in conv_gradient.cu a block
 * sums a piece of a shard from its first output to its last, or piece after piece, so for the same
 * pieces the bits are the same. Three things differ:
 *
 * A thread has DOWN x ACROSS sums, 8 x 8 or 4 x 8: a value read from a tile serves eight
 * multiplications, or four. While a block multiplies one pair of tiles, the next pair is copied
 * into a second pair of buffers, as in registers.cu, so there is one barrier per step.
 *
 * Where the terms of the tile are in a window does not change from step to step. It is computed
 * once, for a table in shared memory.
 *
 * The registers have no space for the total of all pieces. A block that sums several pieces adds
 * each to what it has stored before. */
#include "cuda/kernels/copy_async.cuh"
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/tile_pairs.cuh"
#include "cuda/kernels/training/gradient_tiles.cuh"

enum {
    BLOCK = TRAINING_BLOCK,
    THREADS = BLOCK * BLOCK,
    ACROSS = 8,
    TERMS = BLOCK * ACROSS, /* of a tile */
    OUTPUTS = BLOCK,        /* per step */
    GAP = 4
};

template <int DOWN> struct tiles {
    float d_output[OUTPUTS][BLOCK * DOWN + GAP], windows[OUTPUTS][TERMS + GAP];
};

/* Where a term's element is: its channel's position in an image, floats, and its place in the
 * window. */
template <class INT> struct alignas(16) term_place {
    INT channel;
    int i, j;
};

/* What a block reads, and which weights are its own. */
template <class INT> struct operands {
    const float *image, *d_output;
    struct weight_tile<INT> tile;
    INT filters, terms; /* of the tile that exist; more than it has if all do */
    INT first_map;      /* position of the output gradients of the tile's first filter */
};

template <int DOWN, class INT>
static __device__ __forceinline__ struct operands<INT> operands_of(const struct gradient_task &g) {
    const struct conv_task &t = g.conv;
    struct operands<INT> o;
    o.image = t.image;
    o.d_output = g.d_output;
    o.tile = weight_tile_of<BLOCK * DOWN, TERMS, INT>(t);
    o.filters = (INT)t.filters - o.tile.filter;
    o.terms = (INT)terms_of(t) - o.tile.term;
    o.first_map = (o.tile.group * (INT)t.filters + o.tile.filter) * (INT)t.out.channel;
    return o;
}

/* Sets the table of the tile's terms. Terms that do not exist have an arbitrary place. */
template <class INT>
static __device__ __forceinline__ void set_places(struct term_place<INT> (&places)[TERMS],
                                                  const struct conv_task &t,
                                                  const struct operands<INT> &o)
{
    const int column = thread_of_block();
    if (column >= TERMS)
        return;
    const struct window_term<INT> at = term_at<INT>(t, column < o.terms ? o.tile.term + column : 0);
    places[column].channel = (o.tile.group * (INT)t.depth + at.channel) * (INT)t.in.channel;
    places[column].i = at.i;
    places[column].j = at.j;
}

/* Start to copy the outputs from q0 on; those from `end` on count as 0. Of maps a thread copies one
 * output, and neighbours copy neighbouring outputs. */
template <int DOWN, class INT>
static __device__ __forceinline__ void
fetch_maps(struct tiles<DOWN> &to, const struct term_place<INT> (&places)[TERMS],
           const struct conv_task &t, const struct operands<INT> &o, INT q0, INT end)
{
    const int output = thread_of_block() % OUTPUTS, first = thread_of_block() / OUTPUTS;
    const bool there = q0 + output < end;
    const struct pixel<INT> p = pixel_of<INT>(t, there ? q0 + output : 0);
#pragma unroll
    for (int n = 0; n < DOWN; n++) {
        const int column = first + n * BLOCK;
        const bool in_range = there && column < o.filters;
        const INT place = in_range ? o.first_map + p.output + column * (INT)t.out.channel : 0;
        copy_begin<1>(&to.d_output[output][column], &o.d_output[place], in_range);
    }
#pragma unroll
    for (int n = 0; n < ACROSS; n++) {
        const int column = first + n * BLOCK;
        const struct term_place<INT> at = places[column];
        const INT y = p.top + at.i, x = p.left + at.j;
        const bool in_range =
            there && column < o.terms && is_below(y, t.in_rows) && is_below(x, t.in_cols);
        const INT place = in_range ? p.image + at.channel + y * (INT)t.in.row + x : 0;
        copy_begin<1>(&to.windows[output][column], &o.image[place], in_range);
    }
}

/* The same where an image has one output. A thread copies every n-th output for one filter and one
 * term, and neighbours copy neighbouring ones. */
template <int DOWN, class INT>
static __device__ __forceinline__ void
fetch_vectors(struct tiles<DOWN> &to, const struct term_place<INT> (&places)[TERMS],
              const struct conv_task &t, const struct operands<INT> &o, INT q0, INT end)
{
    constexpr int FILTERS = BLOCK * DOWN;
    const int filter = thread_of_block() % FILTERS, column = thread_of_block() % TERMS;
    const struct term_place<INT> at = places[column];
    const INT y = (INT)t.top + at.i, x = (INT)t.left + at.j;
    const bool inside = column < o.terms && is_below(y, t.in_rows) && is_below(x, t.in_cols);
    const INT element = inside ? at.channel + y * (INT)t.in.row + x : 0;
    const INT map = filter < o.filters ? o.first_map + filter * (INT)t.out.channel : 0;
#pragma unroll 2 /* all addresses would take the registers of the sums */
    for (int n = 0; n < DOWN; n++) {
        const int output = thread_of_block() / FILTERS + n * (THREADS / FILTERS);
        const bool in_range = q0 + output < end && filter < o.filters;
        const INT place = in_range ? map + (q0 + output) * (INT)t.out.image : 0;
        copy_begin<1>(&to.d_output[output][filter], &o.d_output[place], in_range);
    }
#pragma unroll 2
    for (int n = 0; n < ACROSS; n++) {
        const int output = thread_of_block() / TERMS + n * (THREADS / TERMS);
        const bool in_range = q0 + output < end && inside;
        const INT place = in_range ? element + (q0 + output) * (INT)t.in.image : 0;
        copy_begin<1>(&to.windows[output][column], &o.image[place], in_range);
    }
}

template <int DOWN, bool VECTORS, class INT>
static __device__ __forceinline__ void
fetch(struct tiles<DOWN> &to, const struct term_place<INT> (&places)[TERMS],
      const struct conv_task &t, const struct operands<INT> &o, INT q0, INT end)
{
    if (VECTORS)
        fetch_vectors<DOWN, INT>(to, places, t, o, q0, end);
    else
        fetch_maps<DOWN, INT>(to, places, t, o, q0, end);
}

/* Adds the sums to the weights, in the block's own slice; `first`: to 0. */
template <int DOWN, class INT>
static __device__ __forceinline__ void add_sums(const struct gradient_task &g,
                                                const struct operands<INT> &o,
                                                const float (&sum)[DOWN][ACROSS], bool first)
{
    const INT terms = (INT)terms_of(g.conv);
    float *to = g.to + (int64_t)o.tile.slice * g.piece_stride +
                (o.tile.group * (INT)g.conv.filters + o.tile.filter) * terms + o.tile.term;
#pragma unroll
    for (int i = 0; i < DOWN; i++)
#pragma unroll
        for (int j = 0; j < ACROSS; j++) {
            const int filter = pair_column<BLOCK, DOWN>(threadIdx.y, i);
            const int term = pair_column<BLOCK, ACROSS>(threadIdx.x, j);
            if (filter < o.filters && term < o.terms) {
                float *weight = &to[filter * terms + term];
                *weight = (first ? 0.0f : *weight) + sum[i][j];
            }
        }
}

/* The pair of tiles `now` is free, and so is the one that this returns: no thread reads the other
 * one after its next barrier. */
template <int DOWN, bool VECTORS, class INT>
static __device__ __forceinline__ int
sum_piece(float (&sum)[DOWN][ACROSS], struct tiles<DOWN> (&pairs)[2], int now,
          const struct term_place<INT> (&places)[TERMS], const struct conv_task &t,
          const struct operands<INT> &o, INT first, INT end)
{
    if (first < end)
        fetch<DOWN, VECTORS, INT>(pairs[now], places, t, o, first, end);
    for (INT q0 = first; q0 < end; q0 += OUTPUTS) {
        copy_wait();
        __syncthreads(); /* this pair is complete, and no thread reads the other one */
        if (q0 + OUTPUTS < end)
            fetch<DOWN, VECTORS, INT>(pairs[1 - now], places, t, o, q0 + OUTPUTS, end);
#pragma unroll
        for (int q = 0; q < OUTPUTS; q++)
            add_row<add_product, BLOCK>(sum, pairs[now].d_output[q], pairs[now].windows[q]);
        now = 1 - now;
    }
    return now;
}

template <int DOWN, bool VECTORS, class INT>
static __global__ void __launch_bounds__(THREADS, sizeof(INT) == sizeof(int32_t) ? 2 : 1)
    weight_registers(struct gradient_task g)
{
    alignas(16) static __shared__ struct tiles<DOWN> pairs[2];
    static __shared__ struct term_place<INT> places[TERMS];
    const struct operands<INT> o = operands_of<DOWN, INT>(g);
    const INT pixels = (INT)g.conv.out_rows * (INT)g.conv.out_cols;
    const INT parts = g.piece_stride > 0 ? 1 : (INT)g.shards * (INT)g.pieces;
    const INT first = o.tile.slice * parts;
    int now = 0;
    set_places<INT>(places, g.conv, o);
    __syncthreads(); /* the table is complete */
    for (INT p = first; p < first + parts; p++) {
        float sum[DOWN][ACROSS] = {};
        now = sum_piece<DOWN, VECTORS, INT>(sum, pairs, now, places, g.conv, o,
                                            piece_begin<INT>(g, p) * pixels,
                                            piece_begin<INT>(g, p + 1) * pixels);
        add_sums<DOWN, INT>(g, o, sum, p == first);
    }
}

/* ---- the choice of tiles -----------------------------------------------------------------------
 */

const struct weight_tiling weights_64_by_128 = {
    BLOCK * 4,
    TERMS,
    {weight_registers<4, false, int32_t>, weight_registers<4, false, int64_t>},
    {weight_registers<4, true, int32_t>, weight_registers<4, true, int64_t>}};
const struct weight_tiling weights_128_by_128 = {
    BLOCK * 8,
    TERMS,
    {weight_registers<8, false, int32_t>, weight_registers<8, false, int64_t>},
    {weight_registers<8, true, int32_t>, weight_registers<8, true, int64_t>}};

int64_t weight_tiles(const struct weight_tiling *w, const struct conv_task *t)
{
    return parts_of(terms_of(*t), w->terms) * parts_of(t->filters, w->filters) * t->groups;
}

/* True if the tiles are at least four fifths as full as those of 64 x 64, and pieces that make
 * enough blocks have at least four steps each. */
static bool tiling_serves(const struct weight_tiling *w, const struct conv_task *t, int64_t shards)
{
    enum { LEAST = 4 * OUTPUTS };
    const int64_t tiles = weight_tiles(w, t), places = tiles * w->filters * w->terms;
    const int64_t small =
        weight_tiles(&weights_64_by_64, t) * weights_64_by_64.filters * weights_64_by_64.terms;
    const int64_t pieces = parts_of(WEIGHT_BLOCKS, tiles * shards);
    return 4 * places <= 5 * small &&
           t->images / (shards * pieces) * t->out_rows * t->out_cols >= LEAST;
}

const struct weight_tiling *weight_tiling_of(const struct conv_task *t, int64_t shards)
{
    return tiling_serves(&weights_128_by_128, t, shards)  ? &weights_128_by_128
           : tiling_serves(&weights_64_by_128, t, shards) ? &weights_64_by_128
                                                          : &weights_64_by_64;
}

const struct gradient_pair *weight_gradient(const struct weight_tiling *w,
                                            const struct conv_task *t)
{
    return t->out_rows * t->out_cols == 1 ? &w->vectors : &w->maps;
}
