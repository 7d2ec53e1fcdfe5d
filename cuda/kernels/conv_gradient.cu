/* The gradients of a convolution and of a fully connected layer.
 *
 * The weight gradient is a matrix product: output gradients (filters x outputs of a batch) times
 * windows (outputs x terms), in tiles of shared memory as in conv_tiled.cu. A thread computes EACH
 * x EACH sums. A block sums a piece of a shard from its first output to its last. If the weights
 * are too few to fill a device, every piece has its own blocks, which store their sums separately,
 * and sum_of_pieces adds them piece by piece and shard by shard. So the order of sums depends only
 * on the sizes. */
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/tile_pairs.cuh"
#include "cuda/kernels/training/gradient_tiles.cuh"

enum {
    EACH = 4,
    SIDE = TRAINING_BLOCK * EACH, /* filters, and terms, of a block */
    OUTPUTS = TRAINING_BLOCK,     /* per step: a thread fetches EACH elements of each tile */
    GAP = 4
};

struct tiles {
    float d_output[OUTPUTS][SIDE + GAP], windows[OUTPUTS][SIDE + GAP];
};

/* Return the place of the thread's element `n` in the tiles. Neighbouring threads read neighbouring
 * outputs or, if an image has only one output, neighbouring filters and terms. */
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

/* Fetches the tiles of the outputs from q0 on. Outputs from `end` on count as 0. */
template <bool VECTORS, class INT>
static __device__ __forceinline__ void
fetch(struct tiles &to, const struct conv_task &t, const float *__restrict__ image,
      const float *__restrict__ d_output, const struct weight_tile<INT> &tile, INT q0, INT end)
{
    const INT terms = (INT)terms_of(t);
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const int output = output_of<VECTORS>(n), column = column_of<VECTORS>(n);
        const INT filter = tile.filter + column, number = tile.term + column;
        const bool in_range = q0 + output < end;
        const struct pixel<INT> p = pixel_of<INT>(t, in_range ? q0 + output : 0);
        float d_element = 0.0f, element = 0.0f;
        if (in_range && filter < (INT)t.filters)
            d_element =
                d_output[p.output + (tile.group * (INT)t.filters + filter) * (INT)t.out.channel];
        if (in_range && number < terms) {
            const struct window_term<INT> at = term_at<INT>(t, number);
            const INT channel = tile.group * (INT)t.depth + at.channel;
            element = conv_element<INT>(t, image, p.image + channel * (INT)t.in.channel,
                                        p.top + at.i, p.left + at.j);
        }
        to.d_output[output][column] = d_element;
        to.windows[output][column] = element;
    }
}

/* total += the sum over the outputs [first, end). */
template <bool VECTORS, class INT>
static __device__ __forceinline__ void
add_piece(float (&total)[EACH][EACH], struct tiles &tiles, const struct conv_task &t,
          const float *__restrict__ image, const float *__restrict__ d_output,
          const struct weight_tile<INT> &tile, INT first, INT end)
{
    float sum[EACH][EACH] = {};
    for (INT q0 = first; q0 < end; q0 += OUTPUTS) {
        fetch<VECTORS, INT>(tiles, t, image, d_output, tile, q0, end);
        __syncthreads(); /* the tiles are complete */
        add_pairs<add_product, TRAINING_BLOCK>(sum, tiles.d_output, tiles.windows);
        __syncthreads(); /* no thread reads them any more */
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++)
            total[i][j] += sum[i][j];
}

template <class INT>
static __device__ __forceinline__ void set_weights(const struct gradient_task &g,
                                                   const struct weight_tile<INT> &tile,
                                                   const float (&total)[EACH][EACH])
{
    const struct conv_task &t = g.conv;
    const INT terms = (INT)terms_of(t);
    float *to = g.to + (int64_t)tile.slice * g.piece_stride;
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const INT filter = tile.filter + (INT)threadIdx.y * EACH + i;
            const INT term = tile.term + (INT)threadIdx.x * EACH + j;
            if (filter < (INT)t.filters && term < terms)
                to[(tile.group * (INT)t.filters + filter) * terms + term] = total[i][j];
        }
}

template <bool VECTORS, class INT>
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK, 2)
    weight_tiles_of(struct gradient_task g)
{
    alignas(16) static __shared__ struct tiles tiles;
    const float *__restrict__ image = g.conv.image, *__restrict__ d_output = g.d_output;
    const struct weight_tile<INT> tile = weight_tile_of<SIDE, SIDE, INT>(g.conv);
    const INT pixels = (INT)g.conv.out_rows * (INT)g.conv.out_cols;
    const INT parts = g.piece_stride > 0 ? 1 : (INT)g.shards * (INT)g.pieces,
              first = tile.slice * parts;
    float total[EACH][EACH] = {};
    for (INT p = first; p < first + parts; p++)
        add_piece<VECTORS, INT>(total, tiles, g.conv, image, d_output, tile,
                                piece_begin<INT>(g, p) * pixels,
                                piece_begin<INT>(g, p + 1) * pixels);
    set_weights<INT>(g, tile, total);
}

/* One block per filter and piece. Each thread sums every n-th output of the piece, n being the
 * threads of a block. Its distance to the next output, in images and pixels, is constant. */
template <class INT>
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    bias_parts(struct gradient_task g)
{
    static __shared__ float sums[THREADS_MOST];
    const struct conv_task &t = g.conv;
    const float *__restrict__ d_output = g.d_output;
    const INT channels = (INT)(t.groups * t.filters), pixels = (INT)(t.out_rows * t.out_cols);
    const INT piece = (INT)blockIdx.x / channels, filter = (INT)blockIdx.x - piece * channels;
    const INT end = piece_begin<INT>(g, piece + 1);
    const INT images_on = (INT)threads_of_block() / pixels;
    const INT pixels_on = (INT)threads_of_block() - images_on * pixels;
    INT image = piece_begin<INT>(g, piece) + (INT)thread_of_block() / pixels;
    INT pixel = (INT)thread_of_block() % pixels;
    float sum = 0.0f;
    while (image < end) {
        const INT row = quotient(pixel, t.by.out_cols);
        sum += d_output[image * (INT)t.out.image + filter * (INT)t.out.channel +
                        row * (INT)t.out.row + (pixel - row * (INT)t.out_cols)];
        image += images_on;
        pixel += pixels_on;
        if (pixel >= pixels) {
            pixel -= pixels;
            image++;
        }
    }
    sum = sum_of_block(sums, sum);
    if (thread_of_block() == 0)
        (g.to + (int64_t)piece * g.piece_stride)[filter] = sum;
}

/* w'(c, f, i, j) = w(f, c, k - 1 - i, k - 1 - j), in every group. */
template <class INT>
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    rotate_weights(struct gradient_task g)
{
    const struct conv_task &t = g.conv;
    const float *__restrict__ weights = g.weights;
    float *__restrict__ to = g.to;
    const INT i = (INT)thread_of_line(), filters = (INT)t.filters, depth = (INT)t.depth;
    const INT window = (INT)(t.kernel * t.kernel);
    if (i >= (INT)t.groups * filters * depth * window)
        return;
    const INT line = quotient(quotient(i, t.by.kernel), t.by.kernel);
    const INT channel = quotient(line, t.by.filters), group = quotient(channel, t.by.depth);
    const INT filter = group * filters + (line - channel * filters);
    const INT from = filter * depth + (channel - group * depth);
    to[i] = weights[from * window + window - 1 - (i - line * window)];
}

/* Data gradient for any stride and padding, one thread per input element: sums over the windows
 * that contain the element. The loops begin with the last such window, which contains the element
 * in its first row or nearest to it. So products are added in the order of the weights. */
template <class INT>
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    image_elements(struct gradient_task g)
{
    const struct conv_task &t = g.conv;
    const float *__restrict__ d_output = g.d_output, *__restrict__ weights = g.weights;
    float *__restrict__ to = g.to;
    const INT i = (INT)thread_of_line(), channels = (INT)(t.groups * t.depth);
    const INT filters = (INT)t.filters, kernel = (INT)t.kernel, stride = (INT)t.stride;
    if (i >= (INT)t.images * channels * (INT)t.in_rows * (INT)t.in_cols)
        return;
    const INT line = quotient(i, t.by.in_cols), plane = quotient(line, t.by.in_rows);
    const INT image = quotient(plane, t.by.channels), channel = plane - image * channels;
    const INT row = line - plane * (INT)t.in_rows - (INT)t.top;
    const INT col = i - line * (INT)t.in_cols - (INT)t.left;
    const INT group = quotient(channel, t.by.depth), first = group * filters;
    const INT bottom = quotient(row, t.by.stride), right = quotient(col, t.by.stride);
    float sum = 0.0f;
    for (INT f = first; f < first + filters; f++) {
        const INT map = image * (INT)t.out.image + f * (INT)t.out.channel;
        const INT weight = (f * (INT)t.depth + channel - group * (INT)t.depth) * kernel * kernel;
        for (INT y = bottom; y >= 0 && row - y * stride < kernel; y--)
            for (INT x = right; x >= 0 && col - x * stride < kernel; x--)
                if (y < (INT)t.out_rows && x < (INT)t.out_cols)
                    sum += d_output[map + y * (INT)t.out.row + x] *
                           weights[weight + (row - y * stride) * kernel + (col - x * stride)];
    }
    to[i] = sum;
}

static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    add_pieces(struct pieces_task t)
{
    const float *__restrict__ from = t.from;
    float *__restrict__ to = t.to;
    const int64_t i = thread_of_line();
    if (i >= t.count)
        return;
    float total = 0.0f;
    for (int64_t s = 0; s < t.shards; s++) {
        float sum = 0.0f;
        for (int64_t p = s * t.pieces; p < (s + 1) * t.pieces; p++)
            sum += from[p * t.piece_stride + i];
        total += sum;
    }
    to[i] = total;
}

const struct weight_tiling weights_64_by_64 = {
    SIDE,
    SIDE,
    {weight_tiles_of<false, int32_t>, weight_tiles_of<false, int64_t>},
    {weight_tiles_of<true, int32_t>, weight_tiles_of<true, int64_t>}};
const struct gradient_pair bias_gradient = {bias_parts<int32_t>, bias_parts<int64_t>};
const struct gradient_pair rotated_weights = {rotate_weights<int32_t>, rotate_weights<int64_t>};
const struct gradient_pair input_gradient = {image_elements<int32_t>, image_elements<int64_t>};
pieces_kernel *const sum_of_pieces = add_pieces;
