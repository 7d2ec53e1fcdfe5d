/* The gradients of a convolution, and of a fully connected layer.
 *
 * Those of the weights are a product: slopes (filters x outputs of a batch) by windows (outputs x
 * terms), in tiles of shared memory as in conv_tiled.cu, a thread EACH x EACH sums. A block sums a
 * piece of a shard from its first output to its last; where weights are too few to fill a device
 * every piece has blocks of its own, which leave their sums apart, and sum_of_pieces adds them up,
 * piece by piece and shard by shard. So the order hangs on the sizes alone. */
#include "cuda/kernels/conv.cuh"
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/training.h"

enum {
    EACH = 4,
    SIDE = TRAINING_BLOCK * EACH, /* filters, and terms, of a block */
    OUTPUTS = TRAINING_BLOCK,     /* of a step: a thread fetches EACH cells of each tile */
    GAP = 4
};

struct tiles {
    float slopes[OUTPUTS][SIDE + GAP], windows[OUTPUTS][SIDE + GAP];
};

/* A block's part of the weights of one group. */
struct weight_tile {
    int64_t group, filter, term; /* the first ones */
    int64_t slice;               /* the piece, or 0 for all of them */
};

/* Cell (i, j) of a channel of the group. */
struct window_term {
    int64_t channel;
    int i, j;
};

static __host__ __device__ __forceinline__ int64_t tiles_for(int64_t cells)
{
    return (cells - 1) / SIDE + 1;
}

static __host__ __device__ __forceinline__ int64_t terms_of(const struct conv_task &t)
{
    return t.depth * t.kernel * t.kernel;
}

static __device__ __forceinline__ struct weight_tile tile_of(const struct conv_task &t)
{
    const int64_t across = tiles_for(terms_of(t)), down = tiles_for(t.filters);
    const int64_t line = blockIdx.x / across, group = line / down;
    struct weight_tile tile;
    tile.term = (blockIdx.x - line * across) * SIDE;
    tile.filter = (line - group * down) * SIDE;
    tile.slice = group / t.groups;
    tile.group = group - tile.slice * t.groups;
    return tile;
}

/* Where part `part` of `parts` begins, parts near-equal, the first ones the larger. */
static __device__ __forceinline__ int64_t part_begin(int64_t units, int64_t parts, int64_t part)
{
    const int64_t each = units / parts, more = units - each * parts;
    return each * part + (part < more ? part : more);
}

/* The image where a piece of a shard begins, pieces numbered through the shards. */
static __device__ __forceinline__ int64_t piece_begin(const struct gradient_task &g, int64_t piece)
{
    const int64_t shard = piece / g.pieces, images = g.conv.images;
    if (shard == g.shards)
        return images;
    const int64_t first = part_begin(images, g.shards, shard);
    const int64_t count = part_begin(images, g.shards, shard + 1) - first;
    return first + part_begin(count, g.pieces, piece - shard * g.pieces);
}

static __device__ __forceinline__ struct window_term term_at(const struct conv_task &t,
                                                             int64_t number)
{
    const int64_t line = number / t.kernel;
    struct window_term term;
    term.j = (int)(number - line * t.kernel);
    term.channel = line / t.kernel;
    term.i = (int)(line - term.channel * t.kernel);
    return term;
}

/* Neighbours of a block read neighbouring outputs, or, where an image has one, neighbouring filters
 * and terms: the place of the thread's cell `n` in the tiles. */
template <bool VECTORS> static __device__ __forceinline__ int output_of(int n)
{
    const int thread = thread_of_block();
    return VECTORS ? thread / SIDE + n * (OUTPUTS / EACH) : thread % OUTPUTS;
}

template <bool VECTORS> static __device__ __forceinline__ int column_of(int n)
{
    const int thread = thread_of_block();
    return VECTORS ? thread % SIDE : thread / OUTPUTS + n * TRAINING_BLOCK;
}

/* The outputs from q0 on, those from `end` on being none. */
template <bool VECTORS>
static __device__ __forceinline__ void fetch(struct tiles &to, const struct gradient_task &g,
                                             const struct weight_tile &tile, int64_t q0,
                                             int64_t end)
{
    const struct conv_task &t = g.conv;
    const int64_t terms = terms_of(t);
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const int output = output_of<VECTORS>(n), column = column_of<VECTORS>(n);
        const int64_t filter = tile.filter + column, number = tile.term + column;
        const bool there = q0 + output < end;
        const struct pixel p = pixel_of(t, there ? q0 + output : 0);
        float slope = 0.0f, cell = 0.0f;
        if (there && filter < t.filters)
            slope = g.slopes[p.output + (tile.group * t.filters + filter) * t.out.channel];
        if (there && number < terms) {
            const struct window_term at = term_at(t, number);
            const int64_t channel = tile.group * t.depth + at.channel;
            cell = conv_cell(t, t.image + p.image + channel * t.in.channel, p.top + at.i,
                             p.left + at.j);
        }
        to.slopes[output][column] = slope;
        to.windows[output][column] = cell;
    }
}

static __device__ __forceinline__ void multiply(float (&sum)[EACH][EACH], const struct tiles &from)
{
    for (int q = 0; q < OUTPUTS; q++) {
        float a[EACH], b[EACH];
        for (int i = 0; i < EACH; i++) {
            a[i] = from.slopes[q][threadIdx.y * EACH + i];
            b[i] = from.windows[q][threadIdx.x * EACH + i];
        }
        for (int i = 0; i < EACH; i++)
            for (int j = 0; j < EACH; j++)
                sum[i][j] += a[i] * b[j];
    }
}

/* total += the sum over the outputs [first, end). */
template <bool VECTORS>
static __device__ __forceinline__ void
add_piece(float (&total)[EACH][EACH], struct tiles &tiles, const struct gradient_task &g,
          const struct weight_tile &tile, int64_t first, int64_t end)
{
    float sum[EACH][EACH] = {};
    for (int64_t q0 = first; q0 < end; q0 += OUTPUTS) {
        fetch<VECTORS>(tiles, g, tile, q0, end);
        __syncthreads(); /* the tiles are complete */
        multiply(sum, tiles);
        __syncthreads(); /* nobody reads them any more */
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++)
            total[i][j] += sum[i][j];
}

static __device__ __forceinline__ void set_weights(const struct gradient_task &g,
                                                   const struct weight_tile &tile,
                                                   const float (&total)[EACH][EACH])
{
    const struct conv_task &t = g.conv;
    const int64_t terms = terms_of(t);
    float *to = g.to + tile.slice * g.apart;
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const int64_t filter = tile.filter + threadIdx.y * EACH + i;
            const int64_t term = tile.term + threadIdx.x * EACH + j;
            if (filter < t.filters && term < terms)
                to[(tile.group * t.filters + filter) * terms + term] = total[i][j];
        }
}

template <bool VECTORS>
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    weight_tiles_of(struct gradient_task g)
{
    alignas(16) static __shared__ struct tiles tiles;
    const struct weight_tile tile = tile_of(g.conv);
    const int64_t pixels = g.conv.out_rows * g.conv.out_cols;
    const int64_t parts = g.apart > 0 ? 1 : g.shards * g.pieces, first = tile.slice * parts;
    float total[EACH][EACH] = {};
    for (int64_t p = first; p < first + parts; p++)
        add_piece<VECTORS>(total, tiles, g, tile, piece_begin(g, p) * pixels,
                           piece_begin(g, p + 1) * pixels);
    set_weights(g, tile, total);
}

/* A block a filter and piece: each thread sums every so many outputs of the piece, going on by a
 * division less than an output: how many images and outputs the next one is away is always the
 * same. */
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    bias_parts(struct gradient_task g)
{
    static __shared__ float sums[THREADS_MOST];
    const struct conv_task &t = g.conv;
    const int64_t channels = t.groups * t.filters, pixels = t.out_rows * t.out_cols;
    const int64_t piece = blockIdx.x / channels, filter = blockIdx.x - piece * channels;
    const int64_t end = piece_begin(g, piece + 1);
    const int64_t images_on = threads_of_block() / pixels;
    const int64_t pixels_on = threads_of_block() - images_on * pixels;
    int64_t image = piece_begin(g, piece) + thread_of_block() / pixels;
    int64_t pixel = thread_of_block() % pixels;
    float sum = 0.0f;
    while (image < end) {
        const unsigned row = (unsigned)pixel / (unsigned)t.out_cols; /* of a plane: 32 bits do */
        sum += g.slopes[image * t.out.image + filter * t.out.channel + row * t.out.row +
                        (pixel - row * t.out_cols)];
        image += images_on;
        pixel += pixels_on;
        if (pixel >= pixels) {
            pixel -= pixels;
            image++;
        }
    }
    sum = sum_of_block(sums, sum);
    if (thread_of_block() == 0)
        g.to[piece * g.apart + filter] = sum;
}

/* w'(c, f, i, j) = w(f, c, k - 1 - i, k - 1 - j), in every group. */
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    turn_weights(struct gradient_task g)
{
    const struct conv_task &t = g.conv;
    const int64_t i = thread_of_line(), window = t.kernel * t.kernel;
    if (i >= t.groups * t.filters * t.depth * window)
        return;
    const int64_t line = i / window, channel = line / t.filters, group = channel / t.depth;
    const int64_t filter = group * t.filters + (line - channel * t.filters);
    const int64_t from = filter * t.depth + (channel - group * t.depth);
    g.to[i] = g.weights[from * window + window - 1 - (i - line * window)];
}

/* A cell of the input, of the windows that have it: any stride and padding. */
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    image_cells(struct gradient_task g)
{
    const struct conv_task &t = g.conv;
    const int64_t i = thread_of_line(), channels = t.groups * t.depth;
    if (i >= t.images * channels * t.in_rows * t.in_cols)
        return;
    const int64_t line = i / t.in_cols, plane = line / t.in_rows, image = plane / channels;
    const int64_t row = line - plane * t.in_rows - t.top, col = i - line * t.in_cols - t.left;
    const int64_t channel = plane - image * channels, group = channel / t.depth;
    const int64_t first = group * t.filters, window = t.kernel * t.kernel;
    float sum = 0.0f;
    for (int64_t f = first; f < first + t.filters; f++) {
        const float *slopes = g.slopes + image * t.out.image + f * t.out.channel;
        const float *weights = g.weights + (f * t.depth + channel - group * t.depth) * window;
        for (int64_t w = 0; w < window; w++) {
            const int64_t down = row - w / t.kernel, right = col - w % t.kernel;
            const int64_t y = down / t.stride, x = right / t.stride;
            if (down >= 0 && right >= 0 && down == y * t.stride && right == x * t.stride &&
                y < t.out_rows && x < t.out_cols)
                sum += slopes[y * t.out.row + x] * weights[w];
        }
    }
    g.to[i] = sum;
}

static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    add_pieces(struct pieces_task t)
{
    const int64_t i = thread_of_line();
    if (i >= t.count)
        return;
    float total = 0.0f;
    for (int64_t s = 0; s < t.shards; s++) {
        float sum = 0.0f;
        for (int64_t p = s * t.pieces; p < (s + 1) * t.pieces; p++)
            sum += t.from[p * t.apart + i];
        total += sum;
    }
    t.to[i] = total;
}

int64_t weight_tiles(const struct conv_task *t)
{
    return tiles_for(terms_of(*t)) * tiles_for(t->filters) * t->groups;
}

gradient_kernel *const weight_slopes = weight_tiles_of<false>, *const weight_slopes_of_vectors =
                                                                   weight_tiles_of<true>;
gradient_kernel *const bias_slopes = bias_parts, *const turned_weights = turn_weights,
                       *const image_slopes = image_cells;
pieces_kernel *const sum_of_pieces = add_pieces;
