#include "cuda/choice.h"

#include "cuda/tasks.h"
#include "harness/space/operation.h"
#include "kernels/min_max.h"
#include "kernels/precision/declared_math.h"

#include <string.h>

/* ---- the methods ------------------------------------------------------------------------------
 */

/* Methods by task. Some methods serve two tasks. */
static const struct cuda_method *const windows[] = {&naive_kernels.head, &loop_kernels.head,
                                                    &tiled_kernels.head, &roof_kernels.head, NULL};
static const struct cuda_method *const products[] = {
    &naive_kernels.head,     &loop_kernels.head,        &tiled_kernels.head,
    &registers_kernels.head, &tensor_tf32_kernels.head, NULL};
static const struct cuda_method *const convolutions[] = {
    &conv_naive_kernels.head, &conv_tiled_kernels.head, &conv_tensor_tf32_kernels.head, NULL};
static const struct cuda_method *const pairs[] = {&distances_naive_kernels.head,
                                                  &distances_tiled_kernels.head, NULL};
static const struct cuda_method *const *const methods[] = {[DEVICE_POOL] = windows,
                                                           [DEVICE_PRODUCT] = products,
                                                           [DEVICE_CONV] = convolutions,
                                                           [DEVICE_DISTANCES] = pairs};

const struct cuda_method *cuda_method_at(const struct operator_row *kind, int i)
{
    return methods[kind->device][i];
}

const struct cuda_method *cuda_method_find(const struct operator_row *kind, const char *name)
{
    const struct cuda_method *m = NULL;
    for (int i = 0; (m = cuda_method_at(kind, i)) && strcmp(m->name, name) != 0; i++)
        ;
    return m;
}

/* ---- tiles ------------------------------------------------------------------------------------
 */

/* What a grid of tiles covers: planes of rows x cols elements. */
struct covered {
    int64_t planes, rows, cols;
};

/* Returns the parts of `each` elements, the last one perhaps of fewer. */
static int64_t parts_of(int64_t elements, int64_t each)
{
    return (elements - 1) / each + 1;
}

/* Returns the tiles of the multiprocessor that has most of them. Places of a tile that stay empty
 * cost as much as others. */
static int64_t most_tiles(const struct tile_size *t, const struct covered *all, int64_t block,
                          int64_t processors)
{
    const int64_t tiles = parts_of(all->rows, block * t->each.rows) *
                          parts_of(all->cols, block * t->each.cols) * all->planes;
    return parts_of(tiles, processors);
}

/* Returns the tiles with which the last multiprocessor should be ready first; of equal ones the
 * larger. Each sum is added in the order of its terms, in tiles of any size, so the bits do not
 * depend on it. */
static const struct tile_size *best_of(const struct tile_size *list, const struct covered *all,
                                       int64_t block, int64_t processors)
{
    const struct tile_size *best = list;
    for (const struct tile_size *t = list; t->each.rows > 0; t++)
        if (most_tiles(t, all, block, processors) * t->instructions <
            most_tiles(best, all, block, processors) * best->instructions)
            best = t;
    return best;
}

/* `list` NULL: a thread computes one element. */
static struct elements_per_thread best_tiles(const struct tile_size *list,
                                             const struct covered *all, int64_t block,
                                             int64_t processors)
{
    return list ? best_of(list, all, block, processors)->each : (struct elements_per_thread){1, 1};
}

/* ---- the pieces of a product's terms ----------------------------------------------------------
 */

/* The card that terms are cut for, an H100 at 1.75 GHz. It is the same on every device, because the
 * order of sums depends on the pieces. Times are cycles of a multiprocessor. */
enum {
    CUT_BLOCK = 16, /* the only blocks that sum pieces */
    CUT_PROCESSORS = 132,
    CUT_WARPS_PER_SCHEDULER = 2, /* of a block */
    CUT_ALONE = 260,             /* that a block waits in a step, if no other one is resident */
    CUT_ADDING = 5250,           /* 3 us, until the kernel that adds the sums has begun and ended */
    CUT_READ = 6,                /* sums that a multiprocessor reads from the L2 cache in a cycle */
    CUT_SUMS = 8 << 20           /* most sums, which the L2 cache holds: 32 MiB */
};

static int64_t elements_of(const struct product_task *t)
{
    return t->planes * t->rows * t->cols;
}

/* Returns the cycles of a step. */
static int64_t step_cycles(const struct tile_size *list, const struct covered *all)
{
    const struct tile_size *t = best_of(list, all, CUT_BLOCK, CUT_PROCESSORS);
    const int64_t tiles = most_tiles(t, all, CUT_BLOCK, CUT_PROCESSORS);
    return CUT_WARPS_PER_SCHEDULER * tiles * t->instructions + (tiles == 1 ? CUT_ALONE : 0);
}

/* Returns the cycles of a product whose terms are cut into so many pieces. The kernel that adds
 * their sums reads these and writes C. */
static int64_t product_cycles(const struct tile_size *list, const struct product_task *task,
                              int64_t pieces)
{
    const int64_t steps = terms_of_piece(task->inner, pieces) / STEP_TERMS;
    const struct covered all = {pieces * task->planes, task->rows, task->cols};
    const int64_t sums = steps * step_cycles(list, &all);
    return pieces == 1
               ? sums
               : sums + CUT_ADDING + (pieces + 1) * elements_of(task) / (CUT_PROCESSORS * CUT_READ);
}

/* Returns the pieces with which a product should be ready first; of equal numbers the smaller. No
 * piece is empty. */
static int64_t best_pieces(const struct tile_size *list, const struct product_task *task)
{
    const int64_t most = smaller(parts_of(task->inner, STEP_TERMS),
                                 smaller(CUT_SUMS / elements_of(task), 2 * CUT_PROCESSORS));
    int64_t best = 1, cycles = product_cycles(list, task, 1);
    for (int64_t pieces = 2; pieces <= most; pieces++) {
        const int64_t own = product_cycles(list, task, pieces);
        best = own < cycles ? pieces : best;
        cycles = smaller(own, cycles);
    }
    return parts_of(task->inner, terms_of_piece(task->inner, best));
}

/* ---- choosing ---------------------------------------------------------------------------------
 */

struct launch launch_on(const struct device *d, int64_t block)
{
    return (struct launch){.block = block,
                           .grid_rows = d->grid_rows,
                           .grid_planes = d->grid_planes,
                           .processors = d->processors};
}

static bool serves(const struct cuda_kernels *k, bool pooling, const struct geometry *g)
{
    if (!pooling)
        return k->product != NULL;
    return k->pool && (!k->serves || k->serves(g->kernel, g->stride));
}

/* A method that rounds its operands has a table for each precision; the first serves tf32. */
static const struct cuda_kernels *of_math(const struct cuda_kernels *k, const struct operation *op)
{
    return k == &tensor_tf32_kernels && op->parameters.math == MATH_BF16 ? &tensor_bf16_kernels : k;
}

/* Returns the pieces of the terms of a product. They depend on its sizes, not on the device. Only
 * some kernels sum pieces. */
static int64_t product_pieces(const struct cuda_kernels *k, const struct product_task *task,
                              int64_t block, enum filter_memory memory)
{
    const bool cuts = k->product_in_pieces && block == CUT_BLOCK && memory == FILTER_TRANSFERRED;
    return cuts && task->inner > 0 && elements_of(task) > 0
               ? best_pieces(k->tile_sizes(block), task)
               : 1;
}

struct choice choose_product(const struct cuda_kernels *k, const struct product_task *task,
                             const struct device *device, int64_t block, enum filter_memory memory)
{
    const int64_t pieces = product_pieces(k, task, block, memory);
    const struct covered all = {pieces * task->planes, task->rows, task->cols};
    const struct tile_size *sizes = k->tile_sizes ? k->tile_sizes(block) : NULL;
    struct choice c = {.kernels = &k->head, .launch = launch_on(device, block), .pieces = pieces};
    c.launch.per_thread = best_tiles(sizes, &all, block, device->processors);
    c.kernel.product = pieces > 1 ? k->product_in_pieces(c.launch.per_thread)
                                  : k->product(block, memory, c.launch.per_thread);
    return c;
}

/* Chooses the pool kernel for pooling with the image offload, otherwise the product kernel: the
 * window offload multiplies one window at a time, by methods without tiles to choose from. */
static struct choice choose_window(const struct instance *in, const struct cuda_kernels *method)
{
    const struct device_options *o = &in->options;
    const struct geometry *g = &in->operation->geometry;
    const bool pooling = o->offload == OFFLOAD_IMAGE && in->operation->kind->device == DEVICE_POOL;
    const struct cuda_kernels *k =
        serves(method, pooling, g) ? of_math(method, in->operation) : &loop_kernels;
    if (!pooling) {
        const struct product_task all = whole_product(in->operation);
        return choose_product(k, &all, &in->device, o->block, o->filter_memory);
    }
    struct choice c = {.kernels = &k->head, .launch = launch_on(&in->device, o->block)};
    c.kernel.pool = k->pool(o->block, o->filter_memory, g->kernel, g->stride);
    if (k->pool_shared)
        c.launch.shared_bytes = k->pool_shared(o->block, g->kernel, g->stride);
    if (k->share)
        c.launch.per_thread = k->share(o->block, g->kernel);
    return c;
}

struct choice choose_conv(const struct conv_kernels *method, const struct conv_task *task,
                          const struct device *device, int64_t block, enum filter_memory memory)
{
    const bool own = !method->serves || method->serves(task);
    const struct conv_kernels *k = own                                   ? method
                                   : conv_depthwise_kernels.serves(task) ? &conv_depthwise_kernels
                                                                         : &conv_naive_kernels;
    struct choice c = {.kernels = &k->head,
                       .launch = launch_on(device, block),
                       .pieces = k->pieces ? k->pieces(task) : 1};
    const struct covered all = {task->groups * c.pieces, task->filters,
                                task->images * task->out_rows * task->out_cols};
    const struct tile_size *sizes = k->tile_sizes ? k->tile_sizes(block, memory, c.pieces) : NULL;
    c.launch.per_thread = best_tiles(sizes, &all, block, device->processors);
    c.kernel.conv = k->kernel(block, memory, task, c.launch.per_thread);
    c.launch.by_groups = k->by_groups;
    c.launch.by_strips = k->by_strips;
    return c;
}

/* As of_math. */
static const struct conv_kernels *conv_of_math(const struct conv_kernels *k,
                                               const struct operation *op)
{
    return k == &conv_tensor_tf32_kernels && op->parameters.math == MATH_BF16
               ? &conv_tensor_bf16_kernels
               : k;
}

struct choice choose_distances(const struct distances_kernels *k, const struct distances_task *task,
                               const struct device *device, int64_t block,
                               enum filter_memory memory)
{
    const int64_t each = k->each ? k->each(block, memory, task, device->processors) : 1;
    struct choice c = {.kernels = &k->head, .launch = launch_on(device, block)};
    c.kernel.distances = k->kernel(block, memory, each);
    c.launch.per_thread = (struct elements_per_thread){each, each};
    return c;
}

/* The casts are valid, because a head is the first member of its row. */
struct choice choose_kernel(const struct instance *in, const struct cuda_method *method)
{
    const struct device_options *o = &in->options;
    if (in->operation->kind->device == DEVICE_DISTANCES) {
        const struct distances_task all = whole_distances(in->operation);
        return choose_distances((const struct distances_kernels *)method, &all, &in->device,
                                o->block, o->filter_memory);
    }
    if (in->operation->kind->device != DEVICE_CONV)
        return choose_window(in, (const struct cuda_kernels *)method);
    const struct conv_task task = whole_conv(in->operation);
    return choose_conv(conv_of_math((const struct conv_kernels *)method, in->operation), &task,
                       &in->device, o->block, o->filter_memory);
}

int64_t choose_most_pieces(const struct instance *in)
{
    const struct cuda_method *method = NULL;
    int64_t most = 1;
    for (int i = 0; (method = cuda_method_at(in->operation->kind, i)); i++) {
        const int64_t pieces = choose_kernel(in, method).pieces;
        most = pieces > most ? pieces : most;
    }
    return most;
}
