/* Tests convolution and distances on the emulation: every call of the runtime fails once; small
 * grids; which kernel a method chooses, and that the bits of products do not depend on it; and that
 * distances of points with themselves are exactly symmetric, with a diagonal of exact zeros,
 * whatever the coordinates. */
#include "cuda/choice.h"
#include "cuda/cuda_space.h"
#include "cuda/emulation/emulation.h"
#include "cuda/instance.h"
#include "cuda/kernels/launch.h"
#include "kernels/conv/methods.h"
#include "tests/support/space_check.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct device_options plain = {.block = 16, .streams = 1};

/* ---- failing calls ----------------------------------------------------------------------------
 */

/* One operation with operands of ones. */
struct drill {
    struct operation op;
    struct source *source;
    struct job job;
    struct instance *instance;
};

static float *ones(int64_t count)
{
    float *values = malloc((size_t)count * sizeof *values);
    for (int64_t i = 0; i < count; i++)
        values[i] = 1.0f;
    return values;
}

static void add_operand(struct operation *op, const struct operand_row *row)
{
    const struct image_shape shape = row->shape(op);
    op->operands[row->role] =
        (struct operand){.values = ones(shape_elements(shape)), .shape = shape, .integers = true};
}

/* Adds the right operand and the bias and, if the epilogue is a pass, every other operand of it. */
static void add_operands(struct operation *op)
{
    for (const struct operand_row *const *row = op->kind->operands; *row; row++)
        if ((*row)->role == op->kind->right || (*row)->role == OPERAND_BIAS ||
            (op->parameters.epilogue == CONV_PASS && (*row)->role != OPERAND_D_OUTPUT))
            add_operand(op, *row);
}

static void begin(struct drill *d, const struct operation *op, const struct device_options *o)
{
    *d = (struct drill){.op = *op};
    if (d->op.kind->shape(&d->op).kind != REFUSAL_NONE)
        fail_msg("no such operation");
    add_operands(&d->op);
    float *image = ones(shape_elements(d->op.image));
    d->source = case_source(d->op.image, image);
    d->job = (struct job){.operation = &d->op, .source = d->source, .device = *o, .min_cost = 1.0};
    free(image);
}

static void end(struct drill *d)
{
    source_close(d->source);
    for (int role = 0; role < OPERAND_COUNT; role++)
        free(d->op.operands[role].values);
}

static struct operation convolution(const char *method)
{
    return (struct operation){.kind = &conv_operator,
                              .parameters = {.kernel = 3,
                                             .stride = 1,
                                             .padding = 1,
                                             .batch = 2,
                                             .channels = 2,
                                             .filters = 4,
                                             .groups = 1},
                              .image = {2, 5, 2 * 5},
                              .method = operator_method(&conv_operator, SPACE_CUDA, method)};
}

/* A convolution whose epilogue is a pass and has everything that an epilogue may have. */
static struct operation in_passes(const char *method)
{
    struct operation op = convolution(method);
    op.parameters.epilogue = CONV_PASS;
    op.parameters.activation = CONV_RELU;
    return op;
}

static struct operation distances(const char *method)
{
    return (struct operation){.kind = &distances_operator,
                              .image = {1, 5, 3},
                              .method = operator_method(&distances_operator, SPACE_CUDA, method)};
}

static enum status run(struct drill *d, struct failure *f)
{
    struct resources resources = {0};
    struct phases phases;
    enum status status = cuda_space.open(&d->job, &d->instance, &resources, f);
    for (int i = 0; status == STATUS_OK && i < 2; i++) {
        cuda_space.poison(d->instance);
        status = cuda_space.execute(d->instance, &phases, f);
    }
    cuda_space.close(d->instance);
    d->instance = NULL;
    return status;
}

/* Makes each call fail, one per run, until none is left; returns how many there were. */
static int64_t fail_each_call(struct drill *d)
{
    for (int64_t n = 1;; n++) {
        struct failure f = {0};
        emulation_reset(&emulation_sound_machine, 7);
        emulation_fail_at(n, cudaErrorLaunchFailure);
        const enum status status = run(d, &f);
        assert_int_equal(emulation_live(), 0);
        if (status == STATUS_OK) {
            assert_true(emulation_calls() <= n);
            return n - 1;
        }
        assert_int_equal(status, STATUS_RESOURCE);
        assert_non_null(strstr(f.message, "cuda/"));
    }
}

static void failing_calls_are_named_and_all_is_freed(NO_STATE)
{
    static const struct device_options ways[] = {
        {.block = 16, .streams = 1},
        {.block = 32, .streams = 1, .filter_memory = FILTER_CONSTANT},
        {.block = 16, .streams = 2, .host_memory = HOST_PINNED},
    };
    static const char *const methods[] = {"naive", "tiled", "tiled"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const struct operation operations[] = {convolution(methods[i]), in_passes(methods[i]),
                                               distances(methods[i])};
        for (size_t j = 0; j < sizeof operations / sizeof *operations; j++) {
            struct drill d;
            begin(&d, &operations[j], &ways[i]);
            assert_true(fail_each_call(&d) > 20);
            end(&d);
        }
    }
}

/* ---- grids and kernels ------------------------------------------------------------------------
 */

/* If a grid may have only few rows or planes, the work is launched in several grids. */
static void small_grids_do(NO_STATE)
{
    static const struct conv_case cases[] = {
        {"many_filters", 1, 2, 3, 4, 300, 1, 1, 0, 1, true},
        {"many_groups", 1, 9, 4, 3, 45, 3, 1, 1, 9, true},
    };
    static const struct points_case points = {"many_points", 300, 3, 2};
    const struct emulation_machine small = {13000, 1, 1 << 24, 2, 3};
    const struct job job = {.device = plain};
    static const char *const names[] = {"naive", "tiled"};
    for (int i = 0; i < 2; i++) {
        const struct method *m = operator_method(&conv_operator, SPACE_CUDA, names[i]);
        for (int j = 0; j < 2; j++) {
            emulation_reset(&small, 7);
            assert_int_equal(check_conv(&cuda_space, &job, m, &cases[j]), 0);
        }
        m = operator_method(&distances_operator, SPACE_CUDA, names[i]);
        emulation_reset(&small, 7);
        assert_int_equal(check_distances(&cuda_space, &job, m, &points), 0);
    }
}

/* The sums of pieces take device memory too, separately for each stream. So the work is cut into
 * chunks even if image and map alone would fit. The streams run in any order. */
static void sums_of_pieces_take_memory_of_the_device(NO_STATE)
{
    static const struct conv_case pieces = {"pieces", 8, 20, 7, 7, 9, 3, 1, 1, 1, true};
    const struct emulation_machine small = {13000, 1, 1 << 16, 65535, 65535};
    const struct method *m = operator_method(&conv_operator, SPACE_CUDA, "tiled");
    struct job job = {.device = plain};
    job.device.warm_cache = true;         /* the array that flushes it would take the rest */
    job.device.host_memory = HOST_PINNED; /* otherwise streams would wait for copies */
    for (uint64_t seed = 0; seed < 5; seed++)
        for (job.device.streams = 1; job.device.streams <= 2; job.device.streams++) {
            emulation_reset(&small, seed);
            assert_int_equal(check_conv(&cuda_space, &job, m, &pieces), 0);
        }
}

/* Groups of few filters would leave tiles nearly empty. Those of one channel have a kernel of their
 * own for some windows. */
static void tiled_leaves_thin_groups_to_others(NO_STATE)
{
    static const struct {
        int64_t groups, channels, kernel;
        const struct conv_kernels *kernels;
    } rows[] = {{1, 2, 3, &conv_tiled_kernels},
                {2, 2, 3, &conv_depthwise_kernels},
                {2, 2, 5, &conv_depthwise_kernels},
                {2, 2, 2, &conv_naive_kernels},
                {2, 4, 3, &conv_naive_kernels}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct operation op = convolution("tiled");
        struct resources resources = {0};
        struct failure f = {0};
        struct drill d;
        op.parameters.groups = rows[i].groups;
        op.parameters.channels = rows[i].channels;
        op.parameters.kernel = rows[i].kernel;
        begin(&d, &op, &plain);
        emulation_reset(&emulation_sound_machine, 0);
        assert_int_equal(cuda_space.open(&d.job, &d.instance, &resources, &f), STATUS_OK);
        assert_ptr_equal(d.instance->kernels, &rows[i].kernels->head);
        cuda_space.close(d.instance);
        end(&d);
    }
}

/* Tiles of 128 x 128 and of 64 filters x 128 pixels, 8 x 8 and 4 x 8 outputs per thread, are for
 * blocks of 16, weights in global memory and whole sums. The tiles are those with which the
 * multiprocessor of most tiles has least to do: large ones where there are many, smaller ones where
 * places of larger ones would stay empty, or multiprocessors. */
static void large_tiles_are_for_many_outputs(NO_STATE)
{
    static const struct {
        int64_t filters, depth, block, processors;
        enum filter_memory memory;
        struct elements_per_thread each;
    } rows[] = {{128, 3, 16, 2, FILTER_TRANSFERRED, {8, 8}},
                {128, 3, 16, 3, FILTER_TRANSFERRED, {8, 8}},
                {128, 3, 16, 4, FILTER_TRANSFERRED, {4, 8}},
                {64, 3, 16, 1, FILTER_TRANSFERRED, {4, 8}},
                {65, 3, 16, 1, FILTER_TRANSFERRED, {8, 8}},
                {192, 3, 16, 1, FILTER_TRANSFERRED, {4, 8}},
                {320, 3, 16, 6, FILTER_TRANSFERRED, {8, 8}},
                {64, 3, 16, 4, FILTER_TRANSFERRED, {4, 4}},
                {64, 3, 16, 22, FILTER_TRANSFERRED, {1, 1}},
                {64, 3, 16, 21, FILTER_TRANSFERRED, {4, 4}},
                {128, 3, 32, 1, FILTER_TRANSFERRED, {4, 4}},
                {128, 3, 16, 1, FILTER_CONSTANT, {4, 4}},
                {128, 127, 16, 1, FILTER_TRANSFERRED, {8, 8}},
                {128, 128, 16, 1, FILTER_TRANSFERRED, {4, 4}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct device device = {.processors = rows[i].processors};
        const struct conv_task task = {.images = 1,
                                       .out_rows = 16,
                                       .out_cols = 16,
                                       .groups = 1,
                                       .depth = rows[i].depth,
                                       .filters = rows[i].filters,
                                       .kernel = 1,
                                       .stride = 1};
        const struct choice c =
            choose_conv(&conv_tiled_kernels, &task, &device, rows[i].block, rows[i].memory);
        assert_int_equal(c.launch.per_thread.rows, rows[i].each.rows);
        assert_int_equal(c.launch.per_thread.cols, rows[i].each.cols);
    }
}

/* Likewise of a product; a card of 132 multiprocessors. */
static void finer_tiles_are_for_small_products(NO_STATE)
{
    static const struct {
        int64_t planes, rows, cols, block;
        struct elements_per_thread each;
    } rows[] = {{1, 4096, 4096, 16, {8, 8}}, {1, 2048, 2048, 16, {8, 8}},
                {1, 1024, 1024, 16, {4, 8}}, {1, 512, 512, 16, {4, 4}},
                {256, 32, 32, 16, {4, 4}},   {1, 1024, 1024, 32, {4, 4}}};
    const struct device device = {.processors = 132};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct product_task task = {
            .planes = rows[i].planes, .rows = rows[i].rows, .inner = 5, .cols = rows[i].cols};
        const struct choice c =
            choose_product(&registers_kernels, &task, &device, rows[i].block, FILTER_TRANSFERRED);
        assert_int_equal(c.launch.per_thread.rows, rows[i].each.rows);
        assert_int_equal(c.launch.per_thread.cols, rows[i].each.cols);
    }
}

/* ---- the bits of a product --------------------------------------------------------------------
 */

enum { PRODUCT_MOST = 132 };

/* Rows are aligned to 16 bytes where their lengths are, as in arrays of a device. */
static _Alignas(16) float operand_a[PRODUCT_MOST * PRODUCT_MOST],
    operand_b[PRODUCT_MOST * PRODUCT_MOST], products[2][PRODUCT_MOST * PRODUCT_MOST];

/* Sets a product of `n` x `inner` by `inner` x `n` elements. */
static void multiply(const struct cuda_kernels *k, int64_t block, struct elements_per_thread each,
                     int64_t n, int64_t inner, float *c)
{
    const struct launch l = {
        .block = block, .per_thread = each, .grid_rows = 65535, .grid_planes = 65535};
    const struct product_task t = {
        .a = operand_a, .b = operand_b, .c = c, .rows = n, .inner = inner, .cols = n, .planes = 1};
    memset(c, 0xff, sizeof products[0]);
    assert_int_equal(launch_product(k->product(block, FILTER_TRANSFERRED, each), &l, &t), 0);
    assert_int_equal(cudaDeviceSynchronize(), 0);
}

/* A sum is added in the order of its terms, whatever the tiles are. */
static void products_have_the_same_bits_in_tiles_of_any_size(NO_STATE)
{
    static const struct elements_per_thread each[] = {{8, 8}, {4, 8}, {4, 4}};
    static const int64_t sizes[][2] = {{132, 36}, {131, 37}, {128, 16}, {1, 5}, {65, 1}};
    emulation_reset(&emulation_sound_machine, 7);
    for (int i = 0; i < PRODUCT_MOST * PRODUCT_MOST; i++) {
        operand_a[i] = (float)sin(0.9 * i * i);
        operand_b[i] = (float)cos(1.3 * i * i);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int64_t n = sizes[i][0], inner = sizes[i][1];
        const size_t bytes = (size_t)(n * n) * sizeof(float);
        multiply(&naive_kernels, 16, (struct elements_per_thread){1, 1}, n, inner, products[0]);
        for (size_t j = 0; j < sizeof each / sizeof *each; j++) {
            multiply(&registers_kernels, 16, each[j], n, inner, products[1]);
            assert_memory_equal(products[1], products[0], bytes);
        }
        multiply(&registers_kernels, 32, (struct elements_per_thread){4, 4}, n, inner, products[1]);
        assert_memory_equal(products[1], products[0], bytes);
    }
}

/* ---- exact symmetry ---------------------------------------------------------------------------
 */

/* Tiles of 128 x 128 with an edge. */
enum { POINTS = 200, DIMENSIONS = 37 };

static void assert_symmetric(const float *map)
{
    for (int i = 0; i < POINTS; i++) {
        assert_true(map[i * POINTS + i] == 0.0f);
        for (int j = 0; j < i; j++) {
            assert_true(map[i * POINTS + j] > 0.0f);
            assert_true(map[i * POINTS + j] == map[j * POINTS + i]);
        }
    }
}

/* How distances of points with themselves are computed: the tiles depend on the side of a block,
 * and streams compute chunks of rows, which begin anywhere in a tile. */
struct points_way {
    const char *method;
    int64_t block, streams;
};
static const struct points_way points_ways[] = {
    {"naive", 16, 1}, {"tiled", 32, 1}, {"tiled", 16, 1}, {"tiled", 16, 3}};
enum { POINTS_WAYS = sizeof points_ways / sizeof *points_ways };

/* Sets the POINTS x POINTS distances of the points with themselves. */
static void compute_distances(const struct points_way *way, float *values, float *map)
{
    const struct device_options options = {.block = way->block, .streams = way->streams};
    struct operation op = distances(way->method);
    struct resources resources = {0};
    struct failure f = {0};
    struct phases phases;
    struct instance *in = NULL;
    int64_t first, count;
    op.image = (struct image_shape){1, POINTS, DIMENSIONS};
    op.map = (struct image_shape){1, POINTS, POINTS};
    op.operands[OPERAND_AGAINST] =
        (struct operand){.values = values, .shape = op.image, .itself = true};
    struct source *source = case_source(op.image, values);
    const struct job job = {.operation = &op, .source = source, .device = options};
    emulation_reset(&emulation_sound_machine, 7);
    assert_int_equal(cuda_space.open(&job, &in, &resources, &f), STATUS_OK);
    assert_int_equal(cuda_space.execute(in, &phases, &f), STATUS_OK);
    memcpy(map, cuda_space.map(in, &first, &count), sizeof(float) * POINTS * POINTS);
    cuda_space.close(in);
    source_close(source);
}

static float points[POINTS * DIMENSIONS], maps[POINTS_WAYS][POINTS * POINTS];

static void make_points(void)
{
    for (int i = 0; i < POINTS * DIMENSIONS; i++)
        points[i] = (float)(1e3 + 7.0 * sin(0.7 * i * i)); /* near to each other, far from 0 */
}

static void distances_are_symmetric_to_the_last_bit(NO_STATE)
{
    make_points();
    for (int i = 0; i < POINTS_WAYS; i++) {
        compute_distances(&points_ways[i], points, maps[i]);
        assert_symmetric(maps[i]);
        assert_memory_equal(maps[i], maps[0], sizeof maps[0]);
    }
}

/* A point so far away that squares overflow is at an infinite distance from all others, and no
 * other pair is. */
static void distances_that_overflow_are_those_of_their_point(NO_STATE)
{
    enum { FAR = 150 };
    make_points();
    points[FAR * DIMENSIONS + 5] = 1e30f;
    for (int i = 0; i < POINTS_WAYS; i++) {
        compute_distances(&points_ways[i], points, maps[i]);
        for (int j = 0; j < POINTS * POINTS; j++)
            assert_true(isinf(maps[i][j]) == ((j / POINTS == FAR) != (j % POINTS == FAR)));
    }
}

/* Tiles of 128 x 128 are for blocks of 16 and points in global memory, where every multiprocessor
 * has a tile and few places of the tiles stay empty. Of points with themselves, the tiles above the
 * diagonal and on it count. */
static void large_tiles_are_for_many_pairs(NO_STATE)
{
    static const struct {
        int64_t rows, cols;
        bool same;
        int64_t block, processors;
        enum filter_memory memory;
        int64_t each;
    } rows[] = {{128, 256, false, 16, 2, FILTER_TRANSFERRED, 8},
                {128, 256, false, 16, 3, FILTER_TRANSFERRED, 4},
                {256, 256, false, 16, 4, FILTER_TRANSFERRED, 8},
                {256, 256, true, 16, 3, FILTER_TRANSFERRED, 8},
                {256, 256, true, 16, 4, FILTER_TRANSFERRED, 4},
                {192, 192, false, 16, 1, FILTER_TRANSFERRED, 4},
                {192, 192, true, 16, 1, FILTER_TRANSFERRED, 4},
                {193, 193, true, 16, 1, FILTER_TRANSFERRED, 8},
                {128, 256, false, 32, 1, FILTER_TRANSFERRED, 4},
                {128, 256, false, 16, 1, FILTER_CONSTANT, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct device device = {.processors = rows[i].processors};
        const struct distances_task task = {
            .rows = rows[i].rows, .cols = rows[i].cols, .dimensions = 5, .same = rows[i].same};
        const struct choice c = choose_distances(&distances_tiled_kernels, &task, &device,
                                                 rows[i].block, rows[i].memory);
        assert_int_equal(c.launch.per_thread.rows, rows[i].each);
        assert_int_equal(c.launch.per_thread.cols, rows[i].each);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_calls_are_named_and_all_is_freed),
        cmocka_unit_test(small_grids_do),
        cmocka_unit_test(sums_of_pieces_take_memory_of_the_device),
        cmocka_unit_test(tiled_leaves_thin_groups_to_others),
        cmocka_unit_test(large_tiles_are_for_many_outputs),
        cmocka_unit_test(finer_tiles_are_for_small_products),
        cmocka_unit_test(products_have_the_same_bits_in_tiles_of_any_size),
        cmocka_unit_test(distances_are_symmetric_to_the_last_bit),
        cmocka_unit_test(distances_that_overflow_are_those_of_their_point),
        cmocka_unit_test(large_tiles_are_for_many_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
