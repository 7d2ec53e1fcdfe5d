/* Tests convolution and distances on the emulation: every call of the runtime fails once; small
 * grids; which kernel a method chooses, and that the bits of products do not depend on it; and that
 * distances of points with themselves are exactly symmetric, with a diagonal of exact zeros,
 * whatever the coordinates. */
#include "cuda/choice.h"
#include "cuda/cuda_space.h"
#include "cuda/emulation/emulation.h"
#include "cuda/instance.h"
#include "cuda/kernels/training/training.h"
#include "kernels/conv/methods.h"
#include "tests/support/space_check.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct device_options plain = {.block = 16, .streams = 1};

/* ---- failing calls --------------------------------------------------------------------------- */

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

TEST(failing_calls_are_named_and_all_is_freed)
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

/* ---- grids and kernels ----------------------------------------------------------------------- */

/* If a grid may have only few rows or planes, the work is launched in several grids. */
TEST(small_grids_do)
{
    static const struct conv_case cases[] = {
        {"many_filters", 1, 2, 3, 4, 300, 1, 1, 0, 1, true},
        {"many_groups", 1, 9, 4, 3, 45, 3, 1, 1, 9, true},
        {"pieces_of_groups", 1, 32, 4, 3, 10, 3, 1, 1, 2, true},
    };
    static const struct points_case points = {"many_points", 300, 3, 2};
    const struct emulation_machine small = {13000, 1, 1 << 24, 2, 3};
    const struct job job = {.device = plain};
    static const char *const names[] = {"naive", "tiled"};
    const struct method *const tensor = operator_method(&conv_operator, SPACE_CUDA, "tensor");
    for (size_t j = 0; j < sizeof cases / sizeof *cases; j++) {
        emulation_reset(&small, 7);
        assert_int_equal(check_rounded_conv(&cuda_space, &job, tensor, &cases[j]), 0);
    }
    for (int i = 0; i < 2; i++) {
        const struct method *m = operator_method(&conv_operator, SPACE_CUDA, names[i]);
        for (size_t j = 0; j < sizeof cases / sizeof *cases; j++) {
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
TEST(sums_of_pieces_take_memory_of_the_device)
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
TEST(tiled_leaves_thin_groups_to_others)
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
TEST(large_tiles_are_for_many_outputs)
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

/* Likewise of a product, also of one whose terms are cut into pieces; a card of 132
 * multiprocessors. */
TEST(finer_tiles_are_for_small_products)
{
    static const struct {
        int64_t planes, rows, inner, cols, block;
        struct elements_per_thread each;
    } rows[] = {{1, 4096, 5, 4096, 16, {8, 8}},    {1, 2048, 5, 2048, 16, {8, 8}},
                {1, 1024, 5, 1024, 16, {4, 8}},    {1, 512, 5, 512, 16, {4, 4}},
                {1, 1024, 1024, 1024, 16, {8, 8}}, {1, 512, 512, 512, 16, {8, 8}},
                {256, 32, 5, 32, 16, {4, 4}},      {1, 1024, 5, 1024, 32, {4, 4}}};
    const struct device device = {.processors = 132};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct product_task task = {.planes = rows[i].planes,
                                          .rows = rows[i].rows,
                                          .inner = rows[i].inner,
                                          .cols = rows[i].cols};
        const struct choice c =
            choose_product(&registers_kernels, &task, &device, rows[i].block, FILTER_TRANSFERRED);
        assert_int_equal(c.launch.per_thread.rows, rows[i].each.rows);
        assert_int_equal(c.launch.per_thread.cols, rows[i].each.cols);
    }
}

/* ---- the bits of a product ------------------------------------------------------------------- */

enum { PRODUCT_MOST = 132 };

/* Rows are aligned to 16 bytes where their lengths are, as in arrays of a device. */
static _Alignas(16) float operand_a[PRODUCT_MOST * PRODUCT_MOST],
    operand_b[PRODUCT_MOST * PRODUCT_MOST], products[2][PRODUCT_MOST * PRODUCT_MOST];

static void fill_operands(void)
{
    for (int i = 0; i < PRODUCT_MOST * PRODUCT_MOST; i++) {
        operand_a[i] = (float)sin(0.9 * i * i);
        operand_b[i] = (float)cos(1.3 * i * i);
    }
}

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
TEST(products_have_the_same_bits_in_tiles_of_any_size)
{
    static const struct elements_per_thread each[] = {{8, 8}, {4, 8}, {4, 4}};
    static const int64_t sizes[][2] = {{132, 36}, {131, 37}, {128, 16}, {1, 5}, {65, 1}};
    emulation_reset(&emulation_sound_machine, 7);
    fill_operands();
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

/* ---- products in pieces of their terms ------------------------------------------------------- */

/* Products of few tiles and many terms are cut into pieces, in blocks of 16 with B in global
 * memory. Their number is the same on every device, and none is empty. */
TEST(terms_of_small_products_are_cut)
{
    static const struct {
        const struct cuda_kernels *kernels;
        int64_t planes, rows, inner, cols, block;
        enum filter_memory memory;
        int64_t pieces;
    } rows[] = {{&registers_kernels, 1, 4096, 4096, 4096, 16, FILTER_TRANSFERRED, 1},
                {&registers_kernels, 1, 2048, 2048, 2048, 16, FILTER_TRANSFERRED, 1},
                {&registers_kernels, 1, 1536, 1536, 1536, 16, FILTER_TRANSFERRED, 3},
                {&registers_kernels, 1, 1024, 1024, 1024, 16, FILTER_TRANSFERRED, 4},
                {&registers_kernels, 1, 512, 512, 512, 16, FILTER_TRANSFERRED, 8},
                {&registers_kernels, 1, 64, 64, 64, 16, FILTER_TRANSFERRED, 1},
                {&registers_kernels, 256, 32, 32, 32, 16, FILTER_TRANSFERRED, 1},
                {&registers_kernels, 1, 1024, 1024, 1024, 32, FILTER_TRANSFERRED, 1},
                {&registers_kernels, 1, 20, 160, 40, 16, FILTER_CONSTANT, 1},
                {&registers_kernels, 1, 20, 160, 40, 16, FILTER_TRANSFERRED, 10},
                {&registers_kernels, 1, 20, 161, 40, 16, FILTER_TRANSFERRED, 11},
                {&registers_kernels, 1, 64, 1 << 20, 64, 16, FILTER_TRANSFERRED, 264},
                {&tensor_tf32_kernels, 1, 1024, 1024, 1024, 16, FILTER_TRANSFERRED, 4},
                {&tensor_bf16_kernels, 1, 512, 512, 512, 16, FILTER_TRANSFERRED, 8},
                {&tensor_tf32_kernels, 1, 4096, 4096, 4096, 16, FILTER_TRANSFERRED, 1},
                {&tiled_kernels, 1, 1024, 1024, 1024, 16, FILTER_TRANSFERRED, 1},
                {&naive_kernels, 1, 1024, 1024, 1024, 16, FILTER_TRANSFERRED, 1}};
    static const int64_t processors[] = {1, 132, 1000};
    for (size_t i = 0; i < 3 * sizeof rows / sizeof *rows; i++) {
        const struct device device = {.processors = processors[i % 3]};
        const struct product_task task = {.planes = rows[i / 3].planes,
                                          .rows = rows[i / 3].rows,
                                          .inner = rows[i / 3].inner,
                                          .cols = rows[i / 3].cols};
        const struct choice c = choose_product(rows[i / 3].kernels, &task, &device,
                                               rows[i / 3].block, rows[i / 3].memory);
        assert_int_equal(c.pieces, rows[i / 3].pieces);
        assert_true((c.pieces - 1) * terms_of_piece(task.inner, c.pieces) < task.inner);
    }
}

/* A product of PLANES planes whose terms are cut. */
struct cut {
    int64_t rows, inner, cols, pieces;
};
enum { PLANES = 2, SUMS_MOST = 5 * PRODUCT_MOST * PRODUCT_MOST };
static _Alignas(16) float sums_of_cut[SUMS_MOST], packed_rows[PRODUCT_MOST * PRODUCT_MOST];

/* Sets the sums of `count` terms from `first` on, of one plane, by the kernel `naive`. */
static void multiply_piece(const struct cut *s, int64_t plane, int64_t first, int64_t count)
{
    const float *rows = operand_a + plane * s->rows * s->inner;
    const struct launch l = {.block = 16, .grid_rows = 65535, .grid_planes = 65535};
    const struct product_task t = {.a = packed_rows,
                                   .b = operand_b + (plane * s->inner + first) * s->cols,
                                   .c = products[1],
                                   .rows = s->rows,
                                   .inner = count,
                                   .cols = s->cols,
                                   .planes = 1};
    for (int64_t row = 0; row < s->rows; row++)
        memcpy(packed_rows + row * count, rows + row * s->inner + first,
               (size_t)count * sizeof *packed_rows);
    product_kernel *const kernel =
        naive_kernels.product(16, FILTER_TRANSFERRED, (struct elements_per_thread){1, 1});
    assert_int_equal(launch_product(kernel, &l, &t), 0);
    assert_int_equal(cudaDeviceSynchronize(), 0);
}

/* Sets the product: piece after piece is added, each the sum of its terms in their order. */
static void set_expected(const struct cut *s, float *c)
{
    const int64_t each = terms_of_piece(s->inner, s->pieces), elements = s->rows * s->cols;
    memset(c, 0, (size_t)(PLANES * elements) * sizeof *c);
    for (int64_t plane = 0; plane < PLANES; plane++)
        for (int64_t first = 0; first < s->inner; first += each) {
            const int64_t left = s->inner - first;
            multiply_piece(s, plane, first, left < each ? left : each);
            for (int64_t i = 0; i < elements; i++)
                c[plane * elements + i] += products[1][i];
        }
}

/* Sets the product by a kernel that sums pieces, in grids of at most three planes and one row of
 * tiles, which begin with any piece. */
static void multiply_in_pieces(const struct cut *s, struct elements_per_thread each, float *c)
{
    const int64_t elements = s->rows * s->cols;
    const struct launch l = {.block = 16, .per_thread = each, .grid_rows = 1, .grid_planes = 3};
    const struct product_task t = {.a = operand_a,
                                   .b = operand_b,
                                   .c = c,
                                   .rows = s->rows,
                                   .inner = s->inner,
                                   .cols = s->cols,
                                   .planes = PLANES,
                                   .a_plane = s->rows * s->inner,
                                   .c_plane = elements,
                                   .b_plane = s->inner * s->cols,
                                   .pieces = (int32_t)s->pieces,
                                   .piece_stride = PLANES * elements,
                                   .piece_terms = terms_of_piece(s->inner, s->pieces),
                                   .parts = sums_of_cut};
    const struct pieces_task sums = {.from = sums_of_cut,
                                     .to = c,
                                     .count = PLANES * elements,
                                     .piece_stride = PLANES * elements,
                                     .shards = 1,
                                     .pieces = s->pieces};
    memset(c, 0xff, (size_t)(PLANES * elements) * sizeof *c);
    memset(sums_of_cut, 0xff, sizeof sums_of_cut);
    assert_int_equal(launch_product(registers_kernels.product_in_pieces(each), &l, &t), 0);
    assert_int_equal(launch_pieces(&sums, NULL), 0);
    assert_int_equal(cudaDeviceSynchronize(), 0);
}

/* A last piece of one term, of one step and of all; rows that are aligned to 16 bytes and rows that
 * are not; tiles with an edge and without. */
TEST(pieces_are_added_in_their_order)
{
    static const struct elements_per_thread each[] = {{8, 8}, {4, 8}, {4, 4}};
    static const struct cut cuts[] = {{64, 128, 64, 2}, {65, 97, 66, 3}, {131, 65, 5, 5},
                                      {1, 80, 100, 5},  {3, 120, 12, 4}, {17, 36, 130, 3}};
    static float expected[PLANES * PRODUCT_MOST * PRODUCT_MOST], c[sizeof expected / sizeof(float)];
    emulation_reset(&emulation_sound_machine, 7);
    fill_operands();
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        const size_t bytes = (size_t)(PLANES * cuts[i].rows * cuts[i].cols) * sizeof(float);
        set_expected(&cuts[i], expected);
        for (size_t j = 0; j < sizeof each / sizeof *each; j++) {
            multiply_in_pieces(&cuts[i], each[j], c);
            assert_memory_equal(c, expected, bytes);
        }
    }
}

enum { CUT_ROWS = 37, CUT_INNER = 500, CUT_COLS = 40, CUT_WAYS = 5 };

/* How a product in pieces is computed. */
struct cut_way {
    int64_t processors, streams, memory_bytes;
};

static void compute_cut(const struct cut_way *way, float *a, float *b, float *map)
{
    const struct device_options options = {.block = 16,
                                           .streams = way->streams,
                                           .memory_bytes = way->memory_bytes,
                                           .host_memory = HOST_PINNED};
    struct operation op = {.kind = &matmul_operator,
                           .parameters = {.filter_cols = CUT_COLS},
                           .image = {1, CUT_ROWS, CUT_INNER},
                           .map = {1, CUT_ROWS, CUT_COLS},
                           .operands[OPERAND_FILTER] = {.values = b,
                                                        .shape = {1, CUT_INNER, CUT_COLS},
                                                        .max_abs = 1.0},
                           .method = operator_method(&matmul_operator, SPACE_CUDA, "registers")};
    struct source *source = case_source(op.image, a);
    const struct job job = {.operation = &op, .source = source, .device = options};
    struct resources resources = {0};
    struct failure f = {0};
    struct phases phases;
    struct instance *in = NULL;
    int64_t first, count;
    emulation_reset(&emulation_sound_machine, (uint64_t)(7 + way->processors));
    emulation_residence(way->processors, 2048, 2);
    assert_int_equal(cuda_space.open(&job, &in, &resources, &f), STATUS_OK);
    assert_true(in->pieces > 1);
    assert_int_equal(resources.chunks > 1, way->memory_bytes > 0 || way->streams > 1);
    cuda_space.poison(in);
    assert_int_equal(cuda_space.execute(in, &phases, &f), STATUS_OK);
    memcpy(map, cuda_space.map(in, &first, &count), sizeof(float) * CUT_ROWS * CUT_COLS);
    cuda_space.close(in);
    source_close(source);
    emulation_residence(1, 2048, 2);
}

/* The same pieces, whatever computes them: bits do not depend on the device, nor on chunks. */
TEST(products_in_pieces_have_the_same_bits_everywhere)
{
    static const struct cut_way ways[CUT_WAYS] = {
        {1, 1, 0}, {132, 1, 0}, {1000, 1, 0}, {1, 3, 0}, {132, 2, 40000}};
    static float a[CUT_ROWS * CUT_INNER], b[CUT_INNER * CUT_COLS];
    static float c[CUT_WAYS][CUT_ROWS * CUT_COLS];
    for (int i = 0; i < CUT_ROWS * CUT_INNER; i++)
        a[i] = (float)sin(0.9 * i * i);
    for (int i = 0; i < CUT_INNER * CUT_COLS; i++)
        b[i] = (float)cos(1.3 * i * i);
    for (int i = 0; i < CUT_WAYS; i++) {
        compute_cut(&ways[i], a, b, c[i]);
        assert_memory_equal(c[i], c[0], sizeof c[0]);
    }
}

static struct operation cut_product(void)
{
    return (struct operation){.kind = &matmul_operator,
                              .parameters = {.filter_cols = 40},
                              .image = {1, 20, 160},
                              .method = operator_method(&matmul_operator, SPACE_CUDA, "registers")};
}

/* The sums take device memory: the work is cut into chunks even if image and map alone would fit.
 * Where not even one row of outputs fits, the message has the bytes. */
TEST(sums_of_products_take_memory_of_the_device)
{
    static const struct product_case pieces = {"pieces", 20, 160, 1, false, 40};
    enum { ROW = 4 * (160 + 11 * 40) }; /* a row of A, and of C and its ten pieces */
    const struct emulation_machine small = {13000, 1, 1 << 16, 65535, 65535};
    const struct method *m = operator_method(&matmul_operator, SPACE_CUDA, "registers");
    struct job job = {.device = plain};
    const struct operation op = cut_product();
    struct failure f = {0};
    struct drill d;
    job.device.warm_cache = true;
    emulation_reset(&small, 7);
    assert_int_equal(check_product(&cuda_space, &job, m, &pieces), 0);
    job.device.memory_bytes = ROW;
    begin(&d, &op, &job.device);
    assert_int_equal(run(&d, &f), STATUS_OK);
    d.job.device.memory_bytes = ROW - 1;
    assert_int_equal(run(&d, &f), STATUS_RESOURCE);
    assert_non_null(
        strstr(f.message, "not enough memory on the device: one row of outputs takes 2.344 KiB"));
    assert_int_equal(emulation_live(), 0);
    end(&d);
}

TEST(calls_of_products_in_pieces_may_fail)
{
    const struct operation op = cut_product();
    struct drill d;
    begin(&d, &op, &plain);
    assert_true(fail_each_call(&d) > 20);
    end(&d);
}

/* ---- exact symmetry -------------------------------------------------------------------------- */

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

TEST(distances_are_symmetric_to_the_last_bit)
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
TEST(distances_that_overflow_are_those_of_their_point)
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
TEST(large_tiles_are_for_many_pairs)
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
