/* Tests the positions in the kernels of convolutions, their gradients and the backward pass of
 * pooling: 32 bits if all positions fit, else 64. A plain program for the emulation, on which a
 * kernel may read any memory of the host, and so arrays of 8 GiB of which few pages are touched.
 * Every division must be exact; a task must be narrow up to its border and not beyond; both kernels
 * of a pair must give the same bits, also beyond the border. positions_grid [--first]        stops
 * at the first failure */
#include "cuda/kernels/training/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int64_t failures, most = INT64_MAX;
static cudaStream_t stream;

static void require(bool holds, const char *part, const char *name)
{
    if (holds || failures >= most)
        return;
    fprintf(stderr, "positions: case %s, %s: failures\n", name, part);
    failures++;
}

/* ---- divisions ------------------------------------------------------------------------------- */

static bool divides(int64_t n, struct divisor d)
{
    return n < 0 || n > INT32_MAX || quotient_narrow((int32_t)n, d) == n / d.by;
}

/* Tries numbers around multiples of the divisor, where a quotient that is off by one shows: small
 * multiples, large ones, and some between. */
static bool divides_all(int64_t by)
{
    const struct divisor d = divisor_of(by);
    const int64_t last = INT32_MAX / by;
    bool right = divides(INT32_MAX, d);
    for (int64_t q = 0; q < 40; q++)
        for (int64_t more = -1; more <= 1; more++)
            right = right && divides(q * by + more, d) && divides((last - q) * by + more, d) &&
                    divides(last / 40 * q * by + more, d);
    return right;
}

static void check_divisions(void)
{
    bool right = true;
    for (int64_t by = 1; right && by < 5000; by++)
        right = divides_all(by);
    require(right, "divisions", "small");
    for (int power = 2; power <= 31; power++)
        for (int64_t more = -2; more <= 2; more++) {
            const int64_t by = (INT64_C(1) << power) + more;
            right = right && (by > INT32_MAX || divides_all(by));
        }
    require(right, "divisions", "powers");
    for (int64_t by = 1; right && by < INT32_MAX; by += 1 + by / 997)
        right = divides_all(by);
    require(right, "divisions", "large");
    require(divisor_of(INT64_C(1) << 31).multiplier == 0, "divisions", "beyond");
}

/* ---- the border ------------------------------------------------------------------------------ */

/* One output of one element. */
static struct conv_task point(void)
{
    const struct row_steps one = {1, 1, 1};
    return (struct conv_task){.in = one,
                              .out = one,
                              .residual = one,
                              .images = 1,
                              .in_rows = 1,
                              .in_cols = 1,
                              .out_rows = 1,
                              .out_cols = 1,
                              .groups = 1,
                              .depth = 1,
                              .filters = 1,
                              .kernel = 1,
                              .stride = 1};
}

enum border {
    IMAGE,
    CHANNEL,
    ROW,
    MAP,
    ADDED,
    OUTPUTS,
    INPUT,
    WEIGHTS,
    DOWN,
    RIGHT,
    ABOVE,
    LEFT,
    BEGIN,
    END,
    TAP
};
enum { BORDERS = TAP + 1, BEYOND = 1024, THIRD = (INT32_MAX - BEYOND) / 3 };

static const char *const border_names[BORDERS] = {"image",   "channel", "row",     "map",  "beside",
                                                  "outputs", "input",   "weights", "down", "right",
                                                  "above",   "left",    "begin",   "end",  "tap"};

/* Returns a task exactly at its border if `more` is 0, and beyond it if it is 1. */
static struct conv_task at_border(enum border border, int64_t more)
{
    struct conv_task t = point();
    const int64_t step = INT32_MAX - 1 + more;
    t.images = border == IMAGE || border == MAP || border == ADDED ? 2 : 1;
    t.depth = border == CHANNEL ? 2 : 1;
    t.in_rows = border == ROW ? 2 : border == ABOVE ? 1000 : 1;
    t.in_cols = border == LEFT ? 1000 : 1;
    t.in = (struct row_steps){border == IMAGE ? step : 1, border == CHANNEL ? step : 1,
                              border == ROW ? step : 1};
    t.out.image = border == MAP ? step : 1;
    t.residual.image = border == ADDED ? step : 1;
    if (border == OUTPUTS || border == INPUT)
        t.images = THIRD + more;
    t.out_cols = border == OUTPUTS ? 3 : 1;
    t.groups = border == INPUT ? 3 : 1;
    if (border == WEIGHTS) {
        t.depth = THIRD + more;
        t.filters = 3;
    }
    t.stride = border == DOWN || border == RIGHT ? INT32_MAX - 3 + more : 1;
    t.out_rows = border == DOWN ? 1 : t.out_rows;
    t.top = border == DOWN ? -2 : border == ABOVE ? -(INT32_MAX - 1000 + more) : 0;
    t.left = border == RIGHT ? -2 : border == LEFT ? -(INT32_MAX - 1000 + more) : 0;
    if (border == BEGIN || border == END || border == TAP)
        t.in.row = INT32_MAX - (border == TAP ? 2 : 0) + more;
    t.top = border == BEGIN ? -1 : t.top;
    t.out_rows = border == END ? 2 : t.out_rows;
    t.kernel = border == TAP ? 2 : 1;
    return t;
}

static void check_pool_borders(void)
{
    static const char *const names[] = {"planes", "outputs", "rows", "cols"};
    for (int i = 0; i < 4; i++)
        for (int64_t more = 0; more <= 1; more++) {
            struct pool_gradient_task t = {.planes = 1,
                                           .in_rows = 1,
                                           .in_cols = 1,
                                           .out_rows = 1,
                                           .out_cols = 1,
                                           .kernel = 1,
                                           .stride = 1};
            t.planes = i == 0 ? INT32_MAX - BEYOND + more : i == 1 ? INT32_MAX / 7 : 1;
            t.out_cols = i == 1 ? 7 + more : 1;
            t.padding = i == 2 || i == 3 ? INT32_MAX - 1001 + more : 0;
            t.in_rows = i == 2 ? 1000 : 1;
            t.in_cols = i == 3 ? 1000 : 1;
            require(pool_gradient_is_narrow(&t) == (more == 0), "border of pooling", names[i]);
        }
}

static void check_borders(void)
{
    for (int border = 0; border < BORDERS; border++)
        for (int64_t more = 0; more <= 1; more++) {
            const struct conv_task t = at_border((enum border)border, more);
            require(conv_is_narrow(&t) == (more == 0), "border", border_names[border]);
        }
}

/* ---- what is run ----------------------------------------------------------------------------- */

struct shape {
    const char *name;
    int64_t images, groups, depth, filters, rows, cols, kernel, stride, padding;
};

static const struct shape shapes[] = {
    {"three", 3, 1, 5, 6, 7, 9, 3, 1, 1},           {"depthwise", 2, 6, 1, 1, 8, 6, 3, 2, 1},
    {"groups", 2, 3, 2, 4, 6, 5, 2, 3, 0},          {"one", 2, 1, 20, 9, 4, 5, 1, 1, 0},
    {"vectors", 5, 1, 70, 66, 1, 1, 1, 1, 0},       {"five", 2, 1, 3, 4, 11, 10, 5, 2, 3},
    {"one_apart", 3, 2, 3, 5, 9, 7, 1, 2, 0},       {"lattices", 2, 1, 66, 3, 15, 14, 3, 2, 1},
    {"many_lattices", 1, 2, 4, 5, 13, 12, 4, 3, 4}, {"one_apart_padded", 2, 1, 5, 2, 6, 7, 3, 1, 5},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static int64_t inputs_of(const struct shape *s)
{
    return s->groups * s->depth * s->rows * s->cols;
}

static int64_t side(int64_t elements, const struct shape *s)
{
    return (elements + 2 * s->padding - s->kernel) / s->stride + 1;
}

static int64_t outputs_of(const struct shape *s)
{
    return s->groups * s->filters * side(s->rows, s) * side(s->cols, s);
}

static int64_t weights_of(const struct shape *s)
{
    return s->groups * s->filters * s->depth * s->kernel * s->kernel;
}

/* There are `gap` floats between images, and between maps. */
static struct conv_task task_of(const struct shape *s, int64_t gap)
{
    const int64_t out_rows = side(s->rows, s), out_cols = side(s->cols, s);
    return (struct conv_task){
        .in = {inputs_of(s) + gap, s->rows * s->cols, s->cols},
        .out = {outputs_of(s) + gap, out_rows * out_cols, out_cols},
        .residual = {outputs_of(s) + gap, out_rows * out_cols, out_cols},
        .images = s->images,
        .in_rows = s->rows,
        .in_cols = s->cols,
        .out_rows = out_rows,
        .out_cols = out_cols,
        .groups = s->groups,
        .depth = s->depth,
        .filters = s->filters,
        .top = -s->padding,
        .left = -s->padding,
        .kernel = s->kernel,
        .stride = s->stride,
    };
}

/* Pages that are never touched take no memory. */
static float *array_of(int64_t images, int64_t each, int64_t gap)
{
    const size_t bytes = (size_t)(images * (each + gap)) * sizeof(float);
    float *array = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (array == MAP_FAILED) {
        printf("positions_grid: skipped: an array of %zu bytes has no place in the address space\n",
               bytes);
        exit(77);
    }
    return array;
}

static void free_array(float *array, int64_t images, int64_t each, int64_t gap)
{
    munmap(array, (size_t)(images * (each + gap)) * sizeof(float));
}

static void fill(float *array, int64_t images, int64_t each, int64_t gap, uint32_t seed)
{
    for (int64_t i = 0; i < images; i++)
        for (int64_t j = 0; j < each; j++) {
            seed = seed * 1664525 + 1013904223;
            array[i * (each + gap) + j] = (float)(int32_t)seed / (float)(1 << 28);
        }
}

/* True if two arrays have the same bits and no NaN, that is, if every value was stored. */
static bool same(const float *a, int64_t gap_a, const float *b, int64_t gap_b, int64_t images,
                 int64_t each)
{
    bool equal = true;
    for (int64_t i = 0; i < images; i++) {
        const float *p = a + i * (each + gap_a), *q = b + i * (each + gap_b);
        equal = equal && memcmp(p, q, (size_t)each * sizeof *p) == 0;
        for (int64_t j = 0; j < each; j++)
            equal = equal && p[j] == p[j];
    }
    return equal;
}

static void poison(float *array, int64_t images, int64_t each, int64_t gap)
{
    for (int64_t i = 0; i < images; i++)
        memset(array + i * (each + gap), 0xff, (size_t)each * sizeof *array);
}

static void wait_for_all(void)
{
    require(cudaStreamSynchronize(stream) == cudaSuccess, "launch", "synchronize");
}

/* ---- convolutions ---------------------------------------------------------------------------- */

/* The arrays of a convolution, with `gap` floats between images and between maps. */
struct arrays {
    int64_t gap;
    float *image, *map, *weights, *bias, *parts;
};

enum { PIECES = 3 };

static void open_arrays(struct arrays *a, const struct shape *s, int64_t gap)
{
    *a = (struct arrays){.gap = gap,
                         .image = array_of(s->images, inputs_of(s), gap),
                         .map = array_of(s->images, outputs_of(s), gap),
                         .weights = array_of(1, weights_of(s), 0),
                         .bias = array_of(1, s->groups * s->filters, 0),
                         .parts = array_of(PIECES * s->images, outputs_of(s), gap)};
    fill(a->image, s->images, inputs_of(s), gap, 1);
    fill(a->weights, 1, weights_of(s), 0, 2);
    fill(a->bias, 1, s->groups * s->filters, 0, 3);
}

static void close_arrays(struct arrays *a, const struct shape *s)
{
    free_array(a->image, s->images, inputs_of(s), a->gap);
    free_array(a->map, s->images, outputs_of(s), a->gap);
    free_array(a->weights, 1, weights_of(s), 0);
    free_array(a->bias, 1, s->groups * s->filters, 0);
    free_array(a->parts, PIECES * s->images, outputs_of(s), a->gap);
}

/* How a method is launched for a convolution. */
struct way {
    const char *name;
    const struct conv_kernels *method;
    int64_t block;
    struct elements_per_thread each;
    int64_t pieces;
};

static const struct way ways[] = {
    {"naive", &conv_naive_kernels, 16, {1, 1}, 1},
    {"tiled", &conv_tiled_kernels, 16, {4, 4}, 1},
    {"small_tiles", &conv_tiled_kernels, 16, {1, 1}, 1},
    {"tiled_32", &conv_tiled_kernels, 32, {1, 1}, 1},
    {"pieces", &conv_tiled_kernels, 16, {4, 4}, PIECES},
    {"strips", &conv_depthwise_kernels, 16, {1, 1}, 1},
    {"strips_32", &conv_depthwise_kernels, 32, {1, 1}, 1},
    {"registers", &conv_tiled_kernels, 16, {8, 8}, 1},
    {"registers_64_by_128", &conv_tiled_kernels, 16, {4, 8}, 1},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Runs the convolution, the sum of its pieces, and a pass over it. */
static void convolve(const struct way *w, const struct shape *s, struct arrays *a, bool wide)
{
    struct conv_task t = task_of(s, a->gap);
    struct conv_pair pair = w->method->kernel(w->block, FILTER_TRANSFERRED, &t, w->each);
    struct conv_pair parts = conv_parts_kernel, pass = conv_pass_kernel;
    struct launch l = {.block = w->block,
                       .per_thread = w->each,
                       .grid_rows = 65535,
                       .grid_planes = 65535,
                       .by_groups = w->method->by_groups,
                       .by_strips = w->method->by_strips,
                       .stream = stream};
    const struct launch single = {
        .block = 16, .grid_rows = 65535, .grid_planes = 65535, .stream = stream};
    t.image = a->image;
    t.weights = a->weights;
    t.map = a->map;
    t.parts = a->parts;
    t.piece_terms = conv_piece_terms(&t, w->pieces);
    t.pieces = (s->depth * s->kernel * s->kernel - 1) / t.piece_terms + 1;
    t.piece_stride = s->images * t.out.image;
    if (wide) {
        pair.narrow = pair.wide;
        parts.narrow = parts.wide;
        pass.narrow = pass.wide;
    }
    poison(a->map, s->images, outputs_of(s), a->gap);
    cudaError_t error = launch_conv(&pair, &l, &t);
    if (error == cudaSuccess && t.pieces > 1)
        error = launch_conv(&parts, &single, &t);
    t.pieces = 1;
    t.bias = a->bias;
    if (error == cudaSuccess)
        error = launch_conv(&pass, &single, &t);
    require(error == cudaSuccess, "launch", w->name);
    wait_for_all();
}

/* A gap so large that the second image and map begin beyond 2^31 floats. */
static const int64_t FAR = (INT64_C(1) << 31) + 5;

static void check_convolutions(const struct shape *s)
{
    struct arrays near, both, far;
    open_arrays(&near, s, 0);
    open_arrays(&both, s, 0);
    open_arrays(&far, s, FAR);
    for (int i = 0; i < WAYS && failures < most; i++) {
        if (ways[i].method->serves) {
            const struct conv_task t = task_of(s, 0);
            if (!ways[i].method->serves(&t))
                continue;
        }
        convolve(&ways[i], s, &near, false);
        convolve(&ways[i], s, &both, true);
        convolve(&ways[i], s, &far, false);
        require(same(near.map, 0, both.map, 0, s->images, outputs_of(s)), ways[i].name, s->name);
        require(same(near.map, 0, far.map, FAR, s->images, outputs_of(s)), "far apart", s->name);
    }
    close_arrays(&near, s);
    close_arrays(&both, s);
    close_arrays(&far, s);
}

/* Each sum is computed by one thread in the order of its terms, whatever the tiles are, and however
 * the weights are aligned: the bits are the same. */
static void check_tiles(const struct shape *s)
{
    static const struct way tiles[] = {{"64_by_64", &conv_tiled_kernels, 16, {4, 4}, 1},
                                       {"16_by_16", &conv_tiled_kernels, 16, {1, 1}, 1},
                                       {"128_by_128", &conv_tiled_kernels, 16, {8, 8}, 1},
                                       {"64_by_128", &conv_tiled_kernels, 16, {4, 8}, 1}};
    const struct conv_task t = task_of(s, 0);
    const int64_t weights = weights_of(s);
    struct arrays a, b;
    if (!conv_tiled_kernels.serves(&t))
        return;
    open_arrays(&a, s, 0);
    open_arrays(&b, s, 0);
    struct arrays unaligned = b;
    float *block = array_of(1, weights + 1, 0);
    unaligned.weights = memcpy(block + 1, b.weights, (size_t)weights * sizeof *block);
    convolve(&tiles[0], s, &a, false);
    for (size_t i = 1; i < sizeof tiles / sizeof *tiles; i++) {
        convolve(&tiles[i], s, &b, false);
        require(same(a.map, 0, b.map, 0, s->images, outputs_of(s)), tiles[i].name, s->name);
        convolve(&tiles[i], s, &unaligned, false);
        require(same(a.map, 0, b.map, 0, s->images, outputs_of(s)), "unaligned", s->name);
    }
    free_array(block, 1, weights + 1, 0);
    close_arrays(&a, s);
    close_arrays(&b, s);
}

/* ---- gradients ------------------------------------------------------------------------------- */

enum { SHARDS = 2 };

/* A gradient of the shape: its kernel, the floats that it gives, the blocks that compute them, and
 * the pieces of a shard. */
struct gradient {
    const char *name;
    const struct gradient_pair *pair;
    int64_t floats, blocks, pieces, piece_stride;
};

enum { GRADIENTS = 5, TILINGS = 3, CUTS = 2 };

static const struct weight_tiling *const tilings[TILINGS] = {&weights_64_by_64, &weights_64_by_128,
                                                             &weights_128_by_128};

/* Returns the weight gradient in some tiles: the sums of all pieces (cut 0), or each by itself. */
static struct gradient weights_in_tiles(const struct shape *s, int tiling, int cut)
{
    static const char *const names[TILINGS][CUTS] = {
        {"weights_64_by_64", "pieces_64_by_64"},
        {"weights_64_by_128", "pieces_64_by_128"},
        {"weights_128_by_128", "pieces_128_by_128"},
    };
    const struct conv_task t = task_of(s, 0);
    const int64_t slices = cut == 0 ? 1 : 2 * SHARDS;
    return (struct gradient){names[tiling][cut],
                             weight_gradient(tilings[tiling], &t),
                             slices * weights_of(s),
                             slices * weight_tiles(tilings[tiling], &t),
                             2,
                             cut == 0 ? 0 : weights_of(s)};
}

static void gradients_of(const struct shape *s, struct gradient out[GRADIENTS])
{
    const struct conv_task t = task_of(s, 0);
    const int64_t filters = s->groups * s->filters, elements = s->images * inputs_of(s);
    const struct gradient all[GRADIENTS] = {
        {"biases", &bias_gradient, SHARDS * filters, SHARDS * filters, 1, filters},
        {"rotated", &rotated_weights, weights_of(s), training_blocks(weights_of(s)), 1, 0},
        {"image", &input_gradient, elements, training_blocks(elements), 1, 0},
        {"lattice_weights", &lattice_weights, weights_of(s), training_blocks(weights_of(s)), 1, 0},
        {"lattices", &lattice_gradient, elements, lattice_tiles(&t), 1, 0}};
    memcpy(out, all, sizeof all);
}

static float *differentiate(const struct gradient *g, const struct shape *s, const struct arrays *a,
                            bool wide)
{
    struct gradient_pair pair = *g->pair;
    const struct gradient_task t = {.conv = task_of(s, a->gap),
                                    .d_output = a->map,
                                    .weights = a->weights,
                                    .to = array_of(1, g->floats, 0),
                                    .shards = SHARDS,
                                    .pieces = g->pieces,
                                    .piece_stride = g->piece_stride};
    struct gradient_task task = t;
    task.conv.image = a->image;
    if (wide)
        pair.narrow = pair.wide;
    poison(task.to, 1, g->floats, 0);
    require(launch_gradient(&pair, g->blocks, &task, stream) == cudaSuccess, "launch", g->name);
    wait_for_all();
    return task.to;
}

static void check_gradient(const struct gradient *g, const struct shape *s,
                           const struct arrays *near, const struct arrays *far)
{
    float *narrow = differentiate(g, s, near, false);
    float *wide = differentiate(g, s, near, true);
    float *beyond = differentiate(g, s, far, false);
    require(same(narrow, 0, wide, 0, 1, g->floats), g->name, s->name);
    require(same(narrow, 0, beyond, 0, 1, g->floats), "far apart", s->name);
    free_array(narrow, 1, g->floats, 0);
    free_array(wide, 1, g->floats, 0);
    free_array(beyond, 1, g->floats, 0);
}

static void check_gradients(const struct shape *s)
{
    struct arrays near, far;
    struct gradient all[GRADIENTS];
    open_arrays(&near, s, 0);
    open_arrays(&far, s, FAR);
    fill(near.map, s->images, outputs_of(s), 0, 4);
    fill(far.map, s->images, outputs_of(s), FAR, 4);
    gradients_of(s, all);
    for (int i = 0; i < GRADIENTS && failures < most; i++)
        check_gradient(&all[i], s, &near, &far);
    for (int i = 0; i < TILINGS * CUTS && failures < most; i++) {
        const struct gradient g = weights_in_tiles(s, i / CUTS, i % CUTS);
        check_gradient(&g, s, &near, &far);
    }
    close_arrays(&near, s);
    close_arrays(&far, s);
}

/* Tiles with an edge, of several steps; windows of which one element is inside; more pieces than
 * images. */
static const struct shape weight_shapes[] = {
    {"edges", 3, 1, 15, 130, 7, 6, 3, 1, 1},         {"rows_of_tiles", 2, 2, 30, 65, 6, 7, 3, 2, 1},
    {"vectors", 70, 1, 140, 131, 1, 1, 1, 1, 0},     {"windows", 37, 1, 15, 65, 3, 3, 3, 1, 0},
    {"one_inside", 40, 2, 15, 3, 1, 1, 3, 1, 1},     {"one_image", 1, 1, 129, 129, 5, 5, 1, 1, 0},
    {"steps_exactly", 4, 1, 128, 128, 4, 4, 1, 1, 0}};
enum { WEIGHT_SHAPES = sizeof weight_shapes / sizeof *weight_shapes };

/* A difference is a NaN in one of them alone, or other bits of a number. */
static bool same_or_nan(const float *a, const float *b, int64_t count)
{
    bool equal = true;
    for (int64_t i = 0; i < count; i++)
        equal = equal && ((a[i] != a[i] && b[i] != b[i]) || memcmp(&a[i], &b[i], sizeof *a) == 0);
    return equal;
}

/* The weight gradient has the same bits in tiles of any size, also of values that are not
 * finite. */
static void check_weight_tiles(const struct shape *s, bool finite)
{
    struct arrays a;
    open_arrays(&a, s, 0);
    fill(a.map, s->images, outputs_of(s), 0, 4);
    if (!finite) {
        a.image[inputs_of(s) / 2] = NAN;
        a.map[outputs_of(s) / 3] = -INFINITY;
        a.map[outputs_of(s) * s->images - 1] = -0.0f;
    }
    for (int cut = 0; cut < CUTS && failures < most; cut++) {
        const struct gradient simple = weights_in_tiles(s, 0, cut);
        float *expected = differentiate(&simple, s, &a, false);
        for (int tiling = 1; tiling < TILINGS; tiling++) {
            const struct gradient g = weights_in_tiles(s, tiling, cut);
            float *own = differentiate(&g, s, &a, false);
            require(same_or_nan(own, expected, g.floats), g.name, s->name);
            free_array(own, 1, g.floats, 0);
        }
        free_array(expected, 1, simple.floats, 0);
    }
    close_arrays(&a, s);
}

/* The data gradient in tiles of lattices has the bits of the one that is computed element by
 * element. */
static void check_lattices(const struct shape *s)
{
    struct arrays a;
    struct gradient all[GRADIENTS];
    open_arrays(&a, s, 0);
    fill(a.map, s->images, outputs_of(s), 0, 4);
    gradients_of(s, all);
    float *elements = differentiate(&all[2], s, &a, false);
    float *packed = differentiate(&all[3], s, &a, false);
    struct arrays sorted = a;
    sorted.weights = packed;
    float *tiles = differentiate(&all[4], s, &sorted, false);
    require(same(elements, 0, tiles, 0, 1, all[2].floats), "lattices as elements", s->name);
    free_array(elements, 1, all[2].floats, 0);
    free_array(packed, 1, all[3].floats, 0);
    free_array(tiles, 1, all[4].floats, 0);
    close_arrays(&a, s);
}

static float *pool_backward(const float *image, const float *d_output, int64_t stride, bool wide)
{
    struct pool_gradient_pair pair = pool_gradient;
    const struct pool_gradient_task t = {.image = image,
                                         .d_output = d_output,
                                         .to = array_of(3, 9 * 7, 0),
                                         .planes = 3,
                                         .in_rows = 9,
                                         .in_cols = 7,
                                         .out_rows = (9 + 2 - 3) / stride + 1,
                                         .out_cols = (7 + 2 - 3) / stride + 1,
                                         .kernel = 3,
                                         .stride = stride,
                                         .padding = 1};
    if (wide)
        pair.narrow = pair.wide;
    poison(t.to, 3, 9 * 7, 0);
    require(launch_pool_gradient(&pair, &t, stream) == cudaSuccess, "launch", "pooling");
    wait_for_all();
    return t.to;
}

static void check_pooling(void)
{
    float *image = array_of(3, 9 * 7, 0), *d_output = array_of(3, 9 * 7, 0);
    fill(image, 3, 9 * 7, 0, 5);
    fill(d_output, 3, 9 * 7, 0, 6);
    for (int64_t stride = 1; stride <= 3; stride++) {
        float *narrow = pool_backward(image, d_output, stride, false);
        float *wide = pool_backward(image, d_output, stride, true);
        require(same(narrow, 0, wide, 0, 3, 9 * 7), "backward", "pooling");
        free_array(narrow, 3, 9 * 7, 0);
        free_array(wide, 3, 9 * 7, 0);
    }
    free_array(image, 3, 9 * 7, 0);
    free_array(d_output, 3, 9 * 7, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--first") == 0)
        most = 1;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return 3;
    check_divisions();
    check_borders();
    check_pool_borders();
    for (int i = 0; i < SHAPES && failures < most; i++) {
        check_convolutions(&shapes[i]);
        check_tiles(&shapes[i]);
        check_gradients(&shapes[i]);
        check_lattices(&shapes[i]);
    }
    for (int i = 0; i < 2 * WEIGHT_SHAPES && failures < most; i++)
        check_weight_tiles(&weight_shapes[i / 2], i % 2 == 0);
    check_pooling();
    cudaStreamDestroy(stream);
    printf("%-8s %lld failures\n", "positions", (long long)failures);
    return failures > 0;
}
