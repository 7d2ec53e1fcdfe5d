/* The data gradient of a convolution of any stride, in tiles. An element of the image meets a
 * weight of a filter only where row + padding and the weight's row leave the same remainder when
 * they are divided by the stride s, and so do the columns. So the elements are s x s lattices: each
 * is a convolution of stride 1 of the output gradients by the weights of its own remainders, and no
 * thread visits a weight that its element does not meet.
 *
 * pack_lattices puts the weights of a lattice together. Then each lattice is computed as in
 * conv_tiled.cu: weights (channels x terms) times windows of output gradients (terms x elements), 4
 * x 4 sums per thread, two barriers. Terms are in the order of conv_gradient.cu's image_elements:
 * filter by filter, and within a filter in the order of its weights. So the sums have the same
 * bits. The lattices with the most terms come first. */
#include "cuda/kernels/conv.cuh"
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/tile_pairs.cuh"
#include "cuda/kernels/training/training.h"

enum {
    EACH = 4,
    SIDE = TRAINING_BLOCK * EACH, /* channels, and elements, of a block */
    TERMS = TRAINING_BLOCK,       /* per step */
    GAP = 4,                      /* floats between rows of a tile, as in conv_tiled.cu */
    FEW_CHANNELS = 4              /* of a group; with fewer, tiles would be nearly empty */
};

struct tiles {
    float weights[TERMS][SIDE + GAP], windows[TERMS][SIDE + GAP];
};

/* The lattice of one remainder, along rows or columns. Weight a + s * i meets the element
 * first + s * r at the output gradient from + r - i. */
template <class INT> struct comb {
    INT taps;  /* weights of a filter that leave this remainder: i is below */
    INT first; /* element */
    INT from;
};

/* The elements that a block computes: of one lattice, some channels of a group. */
template <class INT> struct lattice_tile {
    struct comb<INT> down, across;
    INT group, channel, element; /* the first ones */
    INT weights;                 /* where those of the lattice and group begin */
};

static __host__ __device__ __forceinline__ int64_t blocks_over(int64_t elements, int64_t each)
{
    return (elements - 1) / each + 1;
}

/* Returns the weights of a filter's row, or column, that leave a remainder below `remainder`. */
template <class INT>
static __device__ __forceinline__ INT taps_before(const struct conv_task &t, INT remainder)
{
    const INT each = quotient((INT)t.kernel, t.by.stride);
    const INT more = (INT)t.kernel - each * (INT)t.stride;
    return each * remainder + (remainder < more ? remainder : more);
}

/* `before` is the padding before the first element. */
template <class INT>
static __device__ __forceinline__ struct comb<INT> comb_of(const struct conv_task &t, INT remainder,
                                                           INT before) {
    const INT stride = (INT)t.stride, whole = quotient(before, t.by.stride);
    const INT shift = before - whole * stride;
    struct comb<INT> c;
    c.taps = taps_before<INT>(t, remainder + 1) - taps_before<INT>(t, remainder);
    c.first = remainder < shift ? remainder + stride - shift : remainder - shift;
    c.from = remainder < shift ? whole + 1 : whole;
    return c;
}

/* Returns where the weights of lattice (a, b) begin, `filters` being the pairs of a filter and a
 * channel. */
template <class INT>
static __device__ __forceinline__ INT lattice_begin(const struct conv_task &t, INT a, INT b,
                                                    INT taps_down, INT filters)
{
    return filters * (taps_before<INT>(t, a) * (INT)t.kernel + taps_down * taps_before<INT>(t, b));
}

/* Block, by its number: lattice, group, tile of channels, tile of elements. */
template <class INT>
static __device__ __forceinline__ struct lattice_tile<INT> tile_of(const struct gradient_task &g) {
    const struct conv_task &t = g.conv;
    const INT elements = (INT)t.images * (INT)g.lattice_rows.by * (INT)g.lattice_cols.by;
    const INT across = (INT)blocks_over(elements, SIDE), down = (INT)blocks_over(t.depth, SIDE);
    const INT line = (INT)blockIdx.x / across, plane = line / down;
    const INT lattice = plane / (INT)t.groups, a = quotient(lattice, t.by.stride);
    const INT b = lattice - a * (INT)t.stride;
    struct lattice_tile<INT> tile;
    tile.element = ((INT)blockIdx.x - line * across) * SIDE;
    tile.channel = (line - plane * down) * SIDE;
    tile.group = plane - lattice * (INT)t.groups;
    tile.down = comb_of<INT>(t, a, -(INT)t.top);
    tile.across = comb_of<INT>(t, b, -(INT)t.left);
    const INT pairs = (INT)t.depth * (INT)t.filters;
    tile.weights = lattice_begin<INT>(t, a, b, tile.down.taps, (INT)t.groups *pairs) +
                   tile.group * pairs * tile.down.taps * tile.across.taps;
    return tile;
}

/* One element of a lattice, of channel 0: its place in the image, and the output gradient, of
 * filter 0, that its first weight meets. */
template <class INT>
struct element {
    bool in_range;
    INT image, row, col; /* of the image */
    INT y, x;            /* of the map */
};

template <class INT>
static __device__ __forceinline__ struct element<INT>
element_of(const struct gradient_task &g, const struct lattice_tile<INT> &tile, INT number) {
    const INT line = quotient(number, g.lattice_cols), c = number - line * (INT)g.lattice_cols.by;
    struct element<INT> e;
    e.image = quotient(line, g.lattice_rows);
    const INT r = line - e.image * (INT)g.lattice_rows.by;
    e.row = tile.down.first + r * (INT)g.conv.stride;
    e.col = tile.across.first + c * (INT)g.conv.stride;
    e.y = tile.down.from + r;
    e.x = tile.across.from + c;
    e.in_range =
        e.image < (INT)g.conv.images && e.row < (INT)g.conv.in_rows && e.col < (INT)g.conv.in_cols;
    return e;
}

/* Division by the taps of a lattice, which are kernel / stride or one more. Field by field: an
 * array of divisors that is not indexed by constants would need memory of its own. */
static __device__ __forceinline__ struct divisor
taps_divisor(const struct gradient_task &g, int64_t taps)
{
    return taps == g.taps.by ? g.taps : g.more_taps;
}

/* Fetches the weights of the terms from q0 on. Neighbouring threads read neighbouring terms. */
template <class INT>
static __device__ __forceinline__ void
fetch_weights(struct tiles &to, const struct gradient_task &g, const float *__restrict__ weights,
              const struct lattice_tile<INT> &tile, INT terms, INT q0)
{
    const INT q = q0 + (INT)threadIdx.x;
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const int row = threadIdx.y + n * TRAINING_BLOCK;
        const INT channel = tile.channel + row;
        const bool in_range = channel < (INT)g.conv.depth && q < terms;
        to.weights[threadIdx.x][row] = in_range ? weights[tile.weights + channel * terms + q] : 0;
    }
}

/* Packs EACH terms of the thread's element, TRAINING_BLOCK / EACH terms apart. */
template <class INT>
static __device__ __forceinline__ void
pack_windows(struct tiles &to, const struct gradient_task &g, const float *__restrict__ d_output,
             const struct lattice_tile<INT> &tile, const struct element<INT> &e, INT terms, INT q0)
{
    const struct divisor by_down = taps_divisor(g, tile.down.taps);
    const struct divisor by_across = taps_divisor(g, tile.across.taps);
    const INT first = tile.group * (INT)g.conv.filters;
    const int thread = thread_of_block();
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const int row = thread / SIDE + n * (TRAINING_BLOCK / EACH);
        float value = 0.0f;
        if (e.in_range && q0 + row < terms) {
            const INT line = quotient(q0 + row, by_across), filter = quotient(line, by_down);
            const INT y = e.y - (line - filter * tile.down.taps);
            const INT x = e.x - (q0 + row - line * tile.across.taps);
            if (is_below(y, g.conv.out_rows) && is_below(x, g.conv.out_cols))
                value = d_output[e.image * (INT)g.conv.out.image +
                                 (first + filter) * (INT)g.conv.out.channel +
                                 y * (INT)g.conv.out.row + x];
        }
        to.windows[row][thread % SIDE] = value;
    }
}

template <class INT>
static __device__ __forceinline__ void set_elements(const struct gradient_task &g,
                                                    const struct lattice_tile<INT> &tile,
                                                    const float (&sum)[EACH][EACH])
{
    const struct conv_task &t = g.conv;
    const INT plane = (INT)t.in_rows * (INT)t.in_cols, channels = (INT)t.groups * (INT)t.depth;
    const INT channel = tile.channel + (INT)threadIdx.y * EACH;
    float *__restrict__ to = g.to;
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        const struct element<INT> e =
            element_of<INT>(g, tile, tile.element + (INT)threadIdx.x * EACH + j);
        const INT first = e.image * channels + tile.group * (INT)t.depth + channel;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (e.in_range && channel + i < (INT)t.depth)
                to[(first + i) * plane + e.row * (INT)t.in_cols + e.col] = sum[i][j];
    }
}

template <class INT>
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    lattice_elements(struct gradient_task g)
{
    alignas(16) static __shared__ struct tiles tiles;
    const float *__restrict__ d_output = g.d_output, *__restrict__ weights = g.weights;
    const struct lattice_tile<INT> tile = tile_of<INT>(g);
    const INT terms = (INT)g.conv.filters * tile.down.taps * tile.across.taps;
    const struct element<INT> e =
        element_of<INT>(g, tile, tile.element + (INT)(thread_of_block() % SIDE));
    float sum[EACH][EACH] = {};
    for (INT q0 = 0; q0 < terms; q0 += TERMS) {
        fetch_weights<INT>(tiles, g, weights, tile, terms, q0);
        pack_windows<INT>(tiles, g, d_output, tile, e, terms, q0);
        __syncthreads(); /* the tiles are complete */
        add_pairs<add_product, TRAINING_BLOCK>(sum, tiles.weights, tiles.windows);
        __syncthreads(); /* no thread reads them any more */
    }
    set_elements<INT>(g, tile, sum);
}

/* One thread per weight. Those of a lattice are sorted by group, channel, filter, row and
 * column. */
template <class INT>
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    pack_lattices(struct gradient_task g)
{
    const struct conv_task &t = g.conv;
    const float *__restrict__ weights = g.weights;
    float *__restrict__ to = g.to;
    const INT n = (INT)thread_of_line(), kernel = (INT)t.kernel, stride = (INT)t.stride;
    const INT depth = (INT)t.depth, filters = (INT)t.filters, pairs = depth * filters;
    if (n >= (INT)t.groups * pairs * kernel * kernel)
        return;
    const INT line = quotient(n, t.by.kernel), pair = quotient(line, t.by.kernel);
    const INT row = line - pair * kernel, col = n - line * kernel;
    const INT i = quotient(row, t.by.stride), j = quotient(col, t.by.stride);
    const INT a = row - i * stride, b = col - j * stride;
    const INT down = taps_before<INT>(t, a + 1) - taps_before<INT>(t, a);
    const INT across = taps_before<INT>(t, b + 1) - taps_before<INT>(t, b);
    const INT number = quotient(pair, t.by.depth), channel = pair - number * depth;
    const INT group = quotient(number, t.by.filters), filter = number - group * filters;
    const INT sorted = group * pairs + channel * filters + filter;
    to[lattice_begin<INT>(t, a, b, down, (INT)t.groups * pairs) + sorted * down * across +
       i * across + j] = weights[n];
}

bool lattices_serve(const struct conv_task *t)
{
    return t->depth >= FEW_CHANNELS;
}

int64_t lattice_tiles(const struct conv_task *t)
{
    const int64_t elements =
        t->images * blocks_over(t->in_rows, t->stride) * blocks_over(t->in_cols, t->stride);
    return elements > 0 ? blocks_over(elements, SIDE) * blocks_over(t->depth, SIDE) * t->groups *
                              t->stride * t->stride
                        : 0;
}

const struct gradient_pair lattice_weights = {pack_lattices<int32_t>, pack_lattices<int64_t>};
const struct gradient_pair lattice_gradient = {lattice_elements<int32_t>,
                                               lattice_elements<int64_t>};
