#include "cuda/kernels/training/training.h"

#include <cuda_runtime.h>

/* The only place where kernels are launched. The tests define this macro to run them on the CPU. */
#ifndef CUDA_LAUNCH
#define CUDA_LAUNCH(kernel, grid, block, shared_bytes, stream, task)                               \
    kernel<<<grid, block, shared_bytes, stream>>>(task)
#endif

/* Loads the code of a kernel, as its first launch would. An empty task is not launched: even a
 * single block would read what nothing has written. */
template <class TASK> static cudaError_t load(void (*kernel)(TASK))
{
    struct cudaFuncAttributes unused;
    return cudaFuncGetAttributes(&unused, (const void *)kernel);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Blocks that cover `threads` threads, at least one. */
static int64_t blocks_for(int64_t threads, int64_t block)
{
    return threads > 0 ? (threads - 1) / block + 1 : 1;
}

/* Elements that a block computes, down and across. */
static int64_t block_rows(const struct launch *l)
{
    return l->block * (l->per_thread.rows > 0 ? l->per_thread.rows : 1);
}

static int64_t block_cols(const struct launch *l)
{
    return l->block * (l->per_thread.cols > 0 ? l->per_thread.cols : 1);
}

static int64_t share_of(int64_t filling, int64_t wanted)
{
    return smaller(wanted, filling > 1 ? filling : 1);
}

/* Returns the grid over rows, columns and planes, or as much of it as a striding kernel needs. The
 * blocks that fill the device form a rectangle, as wide as there are multiprocessors: a grid as
 * wide as an image of 512 blocks would leave 148 places of 660 empty. It is wider only if rows are
 * few. */
static dim3 grid_for(const struct launch *l, int64_t rows, int64_t cols, int64_t planes)
{
    const int64_t across = blocks_for(cols, block_cols(l));
    int64_t x = across, y = blocks_for(rows, block_rows(l));
    int64_t z = planes > 0 ? planes : 1;
    if (l->filling > 0) {
        x = share_of(smaller(l->filling, l->processors), across);
        y = share_of(l->filling / x, smaller(y, l->grid_rows));
        x = share_of(l->filling / y, across);
        z = share_of(l->filling / (x * y), smaller(z, l->grid_planes));
    }
    return dim3((unsigned)x, (unsigned)y, (unsigned)z);
}

/* Return the rows and planes of one grid: all that are left if the kernel strides. */
static int64_t rows_at_once(const struct launch *l, int64_t rows)
{
    return l->filling > 0 ? rows : smaller(rows, l->grid_rows * block_rows(l));
}

static int64_t planes_at_once(const struct launch *l, int64_t planes)
{
    return l->filling > 0 ? planes : smaller(planes, l->grid_planes);
}

/* Launches a kernel over matrices, in grids of as many rows and planes as a grid may have. part_of
 * returns the task from a plane and row on. */
template <class TASK, class PART_OF>
static cudaError_t launch_rows(void (*kernel)(TASK), const struct launch *l, const TASK &task,
                               int64_t cols, int64_t all, PART_OF part_of)
{
    const dim3 block((unsigned)l->block, (unsigned)l->block, 1);
    int64_t plane = 0, row = 0;
    if (task.rows < 1 || cols < 1 || all < 1)
        return load(kernel);
    do {
        const int64_t planes = planes_at_once(l, all - plane);
        TASK part = part_of(plane, planes, row);
        part.rows = rows_at_once(l, task.rows - row);
        const dim3 grid = grid_for(l, part.rows, cols, planes);
        CUDA_LAUNCH(kernel, grid, block, l->shared_bytes, l->stream, part);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
        row += part.rows;
        if (row >= task.rows) {
            row = 0;
            plane += planes;
        }
    } while (plane < all);
    return cudaSuccess;
}

/* If the terms are cut into pieces, the planes of a grid are the pieces of a plane, plane after
 * plane; a grid may begin with any of them. */
cudaError_t launch_product(product_kernel *kernel, const struct launch *l,
                           const struct product_task *task)
{
    const int64_t pieces = task->pieces > 1 ? task->pieces : 1;
    const auto part_of = [task, pieces](int64_t number, int64_t numbers, int64_t row) {
        struct product_task part = *task;
        const int64_t plane = number / pieces, element = plane * task->c_plane + row * task->cols;
        part.a = task->a + plane * task->a_plane + row * task->inner;
        part.c = task->c + element;
        part.parts = task->parts ? task->parts + element : NULL;
        part.places = task->places ? task->places + element : NULL;
        part.b_first = task->b_first + plane * task->b_plane;
        part.planes = numbers;
        part.first_piece = (int32_t)(number % pieces);
        return part;
    };
    return launch_rows(kernel, l, *task, task->cols, task->planes * pieces, part_of);
}

cudaError_t launch_distances(distances_kernel *kernel, const struct launch *l,
                             const struct distances_task *task)
{
    const auto part_of = [task](int64_t, int64_t, int64_t row) {
        struct distances_task part = *task;
        part.x = task->x + row * task->dimensions;
        part.map = task->map + row * task->cols;
        part.places = task->places ? task->places + row * task->cols : NULL;
        part.own_col = task->own_col + row;
        return part;
    };
    const int64_t side = block_cols(l), before = task->same ? task->own_col % side : 0;
    const int64_t cut = before > 0 ? side - before : 0; /* of the first tile of columns */
    return launch_rows(kernel, l, *task, task->cols > 0 ? task->cols + cut : 0, 1, part_of);
}

/* Returns the part of the task that one grid covers, from `row` of plane `plane` on. */
static struct pool_task part_of(const struct launch *l, const struct pool_task *task, int64_t plane,
                                int64_t row)
{
    struct pool_task part = *task;
    const int64_t output = plane * task->map_plane + row * task->out_cols;
    part.planes = planes_at_once(l, task->planes - plane);
    part.out_rows = rows_at_once(l, task->out_rows - row);
    part.image = task->image + plane * task->in_rows * task->in_cols;
    part.map = task->map + output;
    part.places = task->places ? task->places + output : NULL;
    part.top = task->top + row * task->stride;
    return part;
}

cudaError_t launch_pool(pool_kernel *kernel, const struct launch *l, const struct pool_task *task)
{
    const dim3 block((unsigned)l->block, (unsigned)l->block, 1);
    int64_t plane = 0, row = 0;
    if (task->planes < 1 || task->out_rows < 1 || task->out_cols < 1)
        return load(kernel);
    do {
        const struct pool_task part = part_of(l, task, plane, row);
        const dim3 grid = grid_for(l, part.out_rows, part.out_cols, part.planes);
        CUDA_LAUNCH(kernel, grid, block, l->shared_bytes, l->stream, part);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
        row += part.out_rows;
        if (row >= task->out_rows) {
            row = 0;
            plane += part.planes;
        }
    } while (plane < task->planes);
    return cudaSuccess;
}

/* ---- one-dimensional grids ---------------------------------------------------------------------
 */

/* A queued launch has its own copy of the task. */
template <class TASK>
static cudaError_t launch_line(void (*kernel)(TASK), int64_t blocks, int64_t side, TASK task,
                               cudaStream_t stream)
{
    if (blocks < 1)
        return load(kernel);
    const dim3 grid((unsigned)blocks, 1, 1);
    const dim3 block((unsigned)side, (unsigned)side, 1);
    CUDA_LAUNCH(kernel, grid, block, 0, stream, task);
    return cudaGetLastError();
}

/* ---- positions of 32 bits --------------------------------------------------------------------
 */

/* Threads, filters and terms of a block that may exceed the last one: their numbers are computed
 * too. */
enum { BEYOND = 1024 };

struct divisor divisor_of(int64_t by)
{
    struct divisor d = {by, 0, 0};
    if (by < 1 || by > INT32_MAX)
        return d;
    while (INT64_C(1) << d.shift < by)
        d.shift++;
    d.multiplier = (uint32_t)((UINT64_C(1) << (31 + d.shift)) / (uint64_t)by + 1);
    return d;
}

static struct conv_divisors divisors_of(const struct conv_task *t)
{
    return {divisor_of(t->in_rows),
            divisor_of(t->in_cols),
            divisor_of(t->out_rows),
            divisor_of(t->out_cols),
            divisor_of(t->groups * t->depth),
            divisor_of(t->depth),
            divisor_of(t->filters),
            divisor_of(t->kernel),
            divisor_of(t->stride),
            divisor_of(t->groups * t->filters),
            divisor_of(blocks_for(t->out_rows, CONV_STRIP))};
}

/* True if a number fits 32 bits. Doubles are exact up to 2^53; larger ones do not fit by far. */
static bool fits(double number)
{
    return number <= INT32_MAX;
}

/* Returns the position after the last element of these images, channels, rows and cols, in
 * floats. */
static double end_of(const struct row_steps *s, int64_t images, int64_t channels, int64_t rows,
                     int64_t cols)
{
    return (double)(images - 1) * (double)s->image + (double)(channels - 1) * (double)s->channel +
           (double)(rows - 1) * (double)s->row + (double)cols;
}

/* True if the windows' positions fit. A window may begin above or left of its image, and end after
 * it. */
static bool windows_fit(const struct conv_task *t)
{
    const double rows = (double)t->out_rows * (double)t->stride + (double)t->kernel;
    const double cols = (double)t->out_cols * (double)t->stride + (double)t->kernel;
    return fits(rows - (double)t->top) && fits(cols - (double)t->left) &&
           fits((double)t->in_rows - (double)t->top) && fits((double)t->in_cols - (double)t->left);
}

/* True if the sums fit that pairs of tiles compute: where the first element of a window would be,
 * perhaps outside its image, and how far from there a term is. */
static bool taps_fit(const struct conv_task *t)
{
    const double row = (double)t->in.row, channels = (double)t->groups * (double)t->depth;
    const double down = (double)(t->out_rows - 1) * (double)t->stride + (double)t->top;
    const double right = (double)(t->out_cols - 1) * (double)t->stride + (double)t->left;
    const double last = (double)(t->images - 1) * (double)t->in.image +
                        (channels - (double)t->depth) * (double)t->in.channel;
    const double term = end_of(&t->in, 1, t->depth, t->kernel, t->kernel);
    return fits(-(double)t->top * row - (double)t->left) && fits(last + down * row + right) &&
           fits(term);
}

bool conv_is_narrow(const struct conv_task *t)
{
    const int64_t channels = t->groups * t->depth, filters = t->groups * t->filters;
    const double outputs = (double)t->images * (double)t->out_rows * (double)t->out_cols;
    const double elements =
        (double)t->images * (double)channels * (double)t->in_rows * (double)t->in_cols;
    const double weights =
        (double)filters * (double)t->depth * (double)t->kernel * (double)t->kernel;
    return fits(outputs + BEYOND) && fits(elements + BEYOND) && fits(weights + BEYOND) &&
           windows_fit(t) && taps_fit(t) &&
           fits(end_of(&t->in, t->images, channels, t->in_rows, t->in_cols)) &&
           fits(end_of(&t->out, t->images, filters, t->out_rows, t->out_cols)) &&
           fits(end_of(&t->residual, t->images, filters, t->out_rows, t->out_cols));
}

bool pool_gradient_is_narrow(const struct pool_gradient_task *t)
{
    const double elements = (double)t->planes * (double)t->in_rows * (double)t->in_cols;
    const double outputs = (double)t->planes * (double)t->out_rows * (double)t->out_cols;
    const double reach = (double)t->padding + (double)t->kernel;
    return fits(elements + BEYOND) && fits(outputs) && fits((double)t->in_rows + reach) &&
           fits((double)t->in_cols + reach) &&
           fits((double)t->out_rows * (double)t->stride + reach) &&
           fits((double)t->out_cols * (double)t->stride + reach);
}

/* ---- convolution -------------------------------------------------------------------------------
 */

/* True if the positions fit that strips compute, also of rows beyond the map and the image. */
static bool strips_are_narrow(const struct conv_task *t)
{
    struct conv_task reach = *t;
    reach.out_rows += CONV_STRIP;
    reach.in_rows += reach.out_rows * t->stride + t->kernel - t->top;
    return conv_is_narrow(&reach);
}

/* One thread per strip of CONV_STRIP outputs. */
static cudaError_t launch_strips(const struct conv_pair *pair, const struct launch *l,
                                 const struct conv_task *task)
{
    conv_kernel *const kernel = strips_are_narrow(task) ? pair->narrow : pair->wide;
    struct conv_task t = *task;
    const int64_t maps = t.groups * t.filters, strips = blocks_for(t.out_rows, CONV_STRIP);
    const int64_t threads = t.out_rows > 0 ? t.images * maps * strips * t.out_cols : 0;
    t.by = divisors_of(task);
    const int64_t blocks = threads > 0 ? blocks_for(threads, l->block * l->block) : 0;
    return launch_line(kernel, blocks, l->block, t, l->stream);
}

/* Columns of the grid are the outputs of one filter in all images; rows are filters. */
cudaError_t launch_conv(const struct conv_pair *kernel, const struct launch *l,
                        const struct conv_task *task)
{
    if (l->by_strips)
        return launch_strips(kernel, l, task);
    conv_kernel *const chosen = conv_is_narrow(task) ? kernel->narrow : kernel->wide;
    struct conv_task part = *task;
    const dim3 block((unsigned)l->block, (unsigned)l->block, 1);
    const int64_t pixels = task->images * task->out_rows * task->out_cols;
    const int64_t filters = (l->by_groups ? 1 : task->groups) * task->filters;
    const int64_t pieces = task->pieces > 1 ? task->pieces : 1;
    const int64_t all = l->by_groups ? task->groups * pieces : 1;
    int64_t filter = 0, plane = 0;
    if (pixels < 1)
        return load(chosen);
    part.by = divisors_of(task);
    do {
        const int64_t rows = rows_at_once(l, filters - filter);
        const int64_t planes = planes_at_once(l, all - plane);
        part.first_filter = filter;
        part.first_plane = plane;
        const dim3 grid = grid_for(l, rows, pixels, planes);
        CUDA_LAUNCH(chosen, grid, block, l->shared_bytes, l->stream, part);
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
        filter += rows;
        if (filter >= filters) {
            filter = 0;
            plane += planes;
        }
    } while (plane < all);
    return cudaSuccess;
}

cudaError_t launch_layer(layer_kernel *kernel, const struct launch *l, int64_t blocks,
                         const struct layer_task *task)
{
    return launch_line(kernel, task->planes * task->elements > 0 ? blocks : 0, l->block, *task,
                       l->stream);
}

cudaError_t launch_flush(const struct flush_task *task, int64_t blocks, int64_t side,
                         cudaStream_t stream)
{
    return launch_line(flush_elements, blocks, side, *task, stream);
}

cudaError_t launch_elements(elements_kernel *kernel, const struct elements_task *task,
                            cudaStream_t stream)
{
    return launch_line(kernel, training_blocks(task->count), TRAINING_BLOCK, *task, stream);
}

cudaError_t launch_pool_gradient(const struct pool_gradient_pair *kernel,
                                 const struct pool_gradient_task *task, cudaStream_t stream)
{
    const int64_t blocks = training_blocks(task->planes * task->in_rows * task->in_cols);
    struct pool_gradient_task t = *task;
    t.by = {divisor_of(t.in_rows), divisor_of(t.in_cols), divisor_of(t.stride)};
    return launch_line(pool_gradient_is_narrow(task) ? kernel->narrow : kernel->wide, blocks,
                       TRAINING_BLOCK, t, stream);
}

cudaError_t launch_gradient(const struct gradient_pair *kernel, int64_t blocks,
                            const struct gradient_task *task, cudaStream_t stream)
{
    struct gradient_task t = *task;
    const int64_t stride = t.conv.stride, taps = t.conv.kernel / stride;
    t.conv.by = divisors_of(&task->conv);
    t.lattice_rows = divisor_of(blocks_for(t.conv.in_rows, stride));
    t.lattice_cols = divisor_of(blocks_for(t.conv.in_cols, stride));
    t.taps = divisor_of(taps);
    t.more_taps = divisor_of(taps + 1);
    return launch_line(conv_is_narrow(&task->conv) ? kernel->narrow : kernel->wide,
                       task->conv.images > 0 ? blocks : 0, TRAINING_BLOCK, t, stream);
}

cudaError_t launch_pieces(const struct pieces_task *task, cudaStream_t stream)
{
    return launch_line(sum_of_pieces, training_blocks(task->count), TRAINING_BLOCK, *task, stream);
}

cudaError_t launch_loss(loss_kernel *kernel, const struct loss_task *task, cudaStream_t stream)
{
    return launch_line(kernel, training_blocks(task->images), TRAINING_BLOCK, *task, stream);
}

cudaError_t launch_update(update_kernel *kernel, const struct update_task *task,
                          cudaStream_t stream)
{
    return launch_line(kernel, training_blocks(task->count), TRAINING_BLOCK, *task, stream);
}

/* ---- facts -------------------------------------------------------------------------------------
 */

static cudaError_t query_attributes(const void *kernel, const struct launch *l,
                                    struct kernel_facts *facts)
{
    struct cudaFuncAttributes a;
    const int threads = (int)(l->block * l->block);
    const cudaError_t error = cudaFuncGetAttributes(&a, kernel);
    if (error != cudaSuccess)
        return error;
    facts->registers = a.numRegs;
    facts->shared_bytes = a.sharedSizeBytes + l->shared_bytes;
    facts->local_bytes = a.localSizeBytes;
    facts->architecture = a.binaryVersion;
    facts->compiled_for = a.ptxVersion;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&facts->blocks, kernel, threads,
                                                         l->shared_bytes);
}

static const void *address_of(const struct device_kernel *k)
{
    return k->product       ? (const void *)k->product
           : k->pool        ? (const void *)k->pool
           : k->conv.narrow ? (const void *)k->conv.narrow
                            : (const void *)k->distances;
}

cudaError_t query_kernel(const struct device_kernel *kernel, const struct launch *l,
                         struct kernel_facts *facts)
{
    return query_attributes(address_of(kernel), l, facts);
}
