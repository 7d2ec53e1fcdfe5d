/* Tests the public functions of libmaxpool, through the shared library alone. */
#include "tests/support/unit_test.h"

#include <math.h>
#include <maxpool/maxpool.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Fills with integers 0 .. 8, so that sums of a few are exact. */
static void fill(float *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = (float)(i * 7 % 9);
}

/* Fills with fractions whose sums round, so that the bits show the order of summation. */
static void fill_fractions(float *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = (float)(i * 37 % 101) / 7.0f - 6.5f;
}

static int64_t outputs_of(const struct maxpool_operation *op)
{
    const struct maxpool_shape s = maxpool_output(op);
    return s.planes * s.rows * s.cols;
}

/* Computes the rows in blocks of the row step, the last block first. */
static void compute_by_blocks(const struct maxpool_operation *op, const float *input, float *output)
{
    const int64_t rows = maxpool_rows(op), step = maxpool_row_step(op);
    const size_t lines = (maxpool_scratch(op) + 63) / 64 + 1;
    void *scratch = aligned_alloc(64, lines * 64);
    for (int64_t row = (rows - 1) / step * step; row >= 0; row -= step) {
        const int64_t left = rows - row;
        maxpool_compute(op, input, output, row, left < step ? left : step, scratch);
    }
    free(scratch);
}

/* Verification finds one changed output, and a NaN. */
static void check_verdicts(const struct maxpool_operation *op, const float *input, float *output)
{
    const struct maxpool_shape s = maxpool_output(op);
    const int64_t last = outputs_of(op) - 1;
    struct maxpool_failure f = {MAXPOOL_OK, ""};
    struct maxpool_verdict v;
    const float right = output[last];
    output[last] += 1000.0f;
    assert_int_equal(maxpool_verify(op, input, output, &v, &f), MAXPOOL_WRONG);
    assert_true(v.wrong == 1 && v.plane == s.planes - 1 && v.row == s.rows - 1);
    assert_true(v.col == s.cols - 1 && v.found == output[last]);
    assert_non_null(strstr(f.message, "1 of "));
    output[last] = NAN;
    assert_int_equal(maxpool_verify(op, input, output, &v, NULL), MAXPOOL_WRONG);
    assert_true(v.wrong == 1);
    output[last] = right;
}

/* One thread, several threads, and blocks of rows give the same bits, and the oracle confirms
 * them. */
static void check(struct maxpool_operation *op, const float *input)
{
    const size_t bytes = (size_t)outputs_of(op) * sizeof(float);
    float *alone = calloc(1, bytes), *output = calloc(1, bytes);
    struct maxpool_verdict v;
    assert_int_equal(maxpool_run(op, input, alone, 1, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_verify(op, input, alone, &v, NULL), MAXPOOL_OK);
    assert_true(v.outputs == outputs_of(op) && v.wrong == 0);
    for (int64_t threads = 2; threads <= 7; threads += 5) {
        memset(output, 0xff, bytes);
        assert_int_equal(maxpool_run(op, input, output, threads, NULL), MAXPOOL_OK);
        assert_memory_equal(alone, output, bytes);
    }
    memset(output, 0xff, bytes);
    compute_by_blocks(op, input, output);
    assert_memory_equal(alone, output, bytes);
    check_verdicts(op, input, output);
    free(alone);
    free(output);
    maxpool_release(op);
}

enum { IMAGE = 3 * 12 * 10, OTHER = 160, OUTPUTS = 5 * 12 * 10 };

static size_t pool_by_all(const float *image, const float *other)
{
    struct maxpool_operation *op;
    struct maxpool_method_facts m;
    size_t done = 0;
    for (; maxpool_get_method("maxpool", done, &m); done++) {
        const struct maxpool_pool p = {
            {3, 12, 10}, 3, 2, 1, MAXPOOL_PAD_ZERO, m.product ? other : NULL, m.name};
        assert_int_equal(maxpool_make_pool(&op, &p, NULL), MAXPOOL_OK);
        check(op, image);
    }
    return done;
}

static size_t multiply_by_all(const float *image, const float *other)
{
    struct maxpool_operation *op;
    struct maxpool_method_facts m;
    size_t done = 0;
    for (; maxpool_get_method("matmul", done, &m); done++) {
        const struct maxpool_multiply p = {18, 20, 8, other, m.name};
        assert_int_equal(maxpool_make_multiply(&op, &p, NULL), MAXPOOL_OK);
        check(op, image);
    }
    return done;
}

/* Runs all methods that support a kernel of 3 with stride 1. */
static size_t convolve_by_all(const float *image, const float *other)
{
    struct maxpool_operation *op;
    struct maxpool_method_facts m;
    size_t done = 0;
    for (size_t i = 0; maxpool_get_method("conv", i, &m); i++) {
        const struct maxpool_convolve p = {1, 3, 12, 10, 5, 1, 3, 1, 1, other, other + 135, m.name};
        const enum maxpool_status status = maxpool_make_convolve(&op, &p, NULL);
        assert_true(status == MAXPOOL_OK || status == MAXPOOL_USAGE);
        if (status == MAXPOOL_OK) {
            check(op, image);
            done++;
        }
    }
    return done;
}

/* Measures the points' distances to each other and to other points, which one method refuses. */
static size_t measure_by_all(const float *image, const float *other)
{
    struct maxpool_operation *op;
    struct maxpool_method_facts m;
    size_t done = 0;
    for (; maxpool_get_method("distances", done, &m); done++) {
        const struct maxpool_distances itself = {60, 60, 6, image, true, m.name};
        const struct maxpool_distances p = {60, 20, 6, other, false, m.name};
        const bool symmetric = strcmp(m.name, "symmetric") == 0;
        assert_int_equal(maxpool_make_distances(&op, &itself, NULL), MAXPOOL_OK);
        check(op, image);
        assert_int_equal(maxpool_make_distances(&op, &p, NULL),
                         symmetric ? MAXPOOL_USAGE : MAXPOOL_OK);
        if (!symmetric)
            check(op, image);
    }
    return done;
}

TEST(test_every_method)
{
    float image[IMAGE], other[OTHER];
    for (int fractions = 0; fractions < 2; fractions++) {
        (fractions ? fill_fractions : fill)(image, IMAGE);
        (fractions ? fill_fractions : fill)(other, OTHER);
        assert_true(pool_by_all(image, other) >= 8);
        assert_true(multiply_by_all(image, other) >= 4);
        assert_true(convolve_by_all(image, other) >= 3);
        assert_int_equal(measure_by_all(image, other), 4);
    }
}

/* A known answer, so that the library and its oracle cannot be wrong together. */
TEST(test_known_answers)
{
    const float image[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, b[] = {1, -2, 0, 3};
    const float corners[] = {0, 0, 3, 4};
    float out[9];
    struct maxpool_operation *op;
    const struct maxpool_pool p = {.image = {1, 3, 3}, .kernel = 2, .stride = 1};
    assert_int_equal(maxpool_make_pool(&op, &p, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_run(op, image, out, 1, NULL), MAXPOOL_OK);
    assert_true(out[0] == 5 && out[1] == 6 && out[2] == 8 && out[3] == 9);
    maxpool_release(op);
    const struct maxpool_multiply m = {.rows = 2, .inner = 2, .cols = 2, .b = b};
    assert_int_equal(maxpool_make_multiply(&op, &m, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_run(op, image, out, 1, NULL), MAXPOOL_OK);
    assert_true(out[0] == 1 && out[1] == 4 && out[2] == 3 && out[3] == 6);
    maxpool_release(op);
    const struct maxpool_distances d = {2, 2, 2, corners, true, NULL};
    assert_int_equal(maxpool_make_distances(&op, &d, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_run(op, corners, out, 1, NULL), MAXPOOL_OK);
    assert_true(out[0] == 0 && out[1] == 5 && out[2] == 5 && out[3] == 0);
    maxpool_release(op);
}

/* The words of a record make the same operation as a struct: the same bits, and the oracle confirms
 * them. */
static void same(const char *words, const struct maxpool_operand *operands,
                 struct maxpool_operation *op, const float *image)
{
    const struct maxpool_described what = {words, operands};
    struct maxpool_operation *described;
    float one[OUTPUTS], other[OUTPUTS];
    assert_int_equal(maxpool_make_described(&described, &what, NULL), MAXPOOL_OK);
    assert_true(outputs_of(op) == outputs_of(described) && outputs_of(op) <= OUTPUTS);
    assert_int_equal(maxpool_run(op, image, one, 1, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_run(described, image, other, 2, NULL), MAXPOOL_OK);
    assert_memory_equal(one, other, (size_t)outputs_of(op) * sizeof *one);
    assert_int_equal(maxpool_verify(described, image, other, NULL, NULL), MAXPOOL_OK);
    maxpool_release(op);
    maxpool_release(described);
}

TEST(test_described)
{
    float image[IMAGE], other[OTHER];
    struct maxpool_operation *op;
    fill_fractions(image, IMAGE);
    fill_fractions(other, OTHER);
    const struct maxpool_pool p = {{3, 12, 10}, 3, 2, 1, MAXPOOL_PAD_IGNORE, NULL, "separable"};
    assert_int_equal(maxpool_make_pool(&op, &p, NULL), MAXPOOL_OK);
    same("operator=maxpool planes=3 rows=12 cols=10 kernel=3 stride=2 padding=1 pad_mode=ignore "
         "method=separable",
         NULL, op, image);
    const struct maxpool_multiply m = {18, 20, 8, other, "packed"};
    const struct maxpool_operand b[] = {{"filter", other}, {NULL, NULL}};
    assert_int_equal(maxpool_make_multiply(&op, &m, NULL), MAXPOOL_OK);
    same("operator=matmul rows=18 cols=20 filter_cols=8 method=packed", b, op, image);
    const struct maxpool_convolve c = {1, 3, 12, 10, 5, 1, 3, 1, 1, other, other + 135, "winograd"};
    const struct maxpool_operand w[] = {{"bias", other + 135}, {"weights", other}, {NULL, NULL}};
    assert_int_equal(maxpool_make_convolve(&op, &c, NULL), MAXPOOL_OK);
    same("operator=conv rows=12 cols=10 channels=3 filters=5 padding=1 method=winograd", w, op,
         image);
    const struct maxpool_distances d = {20, 20, 6, image, true, "gram"};
    const struct maxpool_operand y[] = {{"against", image}, {NULL, NULL}};
    assert_int_equal(maxpool_make_distances(&op, &d, NULL), MAXPOOL_OK);
    same("operator=distances rows=20 cols=6 against=itself method=gram", y, op, image);
}

/* Operators that no struct describes: a copy, and the gradient of a convolution. */
TEST(test_described_alone)
{
    float image[IMAGE], other[OTHER], map[IMAGE];
    const struct maxpool_operand dy[] = {{"d_output", other}, {NULL, NULL}};
    const struct maxpool_described copy = {"operator=copy planes=3 rows=12 cols=10", NULL};
    const struct maxpool_described gradient = {
        "operator=conv gradient=weights rows=5 cols=5 channels=3 filters=5", dy};
    struct maxpool_operation *op;
    fill(image, IMAGE);
    fill(other, OTHER);
    assert_int_equal(maxpool_make_described(&op, &copy, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_run(op, image, map, 2, NULL), MAXPOOL_OK);
    assert_memory_equal(map, image, sizeof map);
    maxpool_release(op);
    assert_int_equal(maxpool_make_described(&op, &gradient, NULL), MAXPOOL_OK);
    assert_int_equal(outputs_of(op), 5 * 3 * 3 * 3);
    check(op, image);
}

/* Each refusal has its status, gives a reason, and returns no operation. */
static void refused(enum maxpool_status status, enum maxpool_status expected,
                    struct maxpool_operation *const *op, const struct maxpool_failure *f,
                    const char *words)
{
    assert_int_equal(status, expected);
    assert_int_equal(f->status, expected);
    assert_null(*op);
    if (!strstr(f->message, words))
        fail_msg("'%s' does not say '%s'", f->message, words);
}

TEST(test_refusals)
{
    struct maxpool_failure f;
    struct maxpool_operation *op;
    const float b[] = {1, NAN, 0, 1};
    const struct maxpool_pool unknown = {.image = {1, 4, 4}, .kernel = 2, .method = "nothing"};
    refused(maxpool_make_pool(&op, &unknown, &f), MAXPOOL_USAGE, &op, &f, "nothing");
    const struct maxpool_pool large = {.image = {1, 2, 2}, .kernel = 3};
    refused(maxpool_make_pool(&op, &large, &f), MAXPOOL_USAGE, &op, &f, "");
    const float twos[] = {2, 2, 2, 2};
    const struct maxpool_pool ignored = {{1, 4, 4}, 2, 2, 1, MAXPOOL_PAD_IGNORE, twos, NULL};
    refused(maxpool_make_pool(&op, &ignored, &f), MAXPOOL_USAGE, &op, &f, "identity");
    const struct maxpool_pool finite = {{1, 4, 4}, 2, 2, 0, MAXPOOL_PAD_ZERO, b, NULL};
    refused(maxpool_make_pool(&op, &finite, &f), MAXPOOL_USAGE, &op, &f, "element 1 of the filter");
    const struct maxpool_multiply empty = {0, 1, 1, b, NULL}, missing = {1, 1, 1, NULL, NULL};
    refused(maxpool_make_multiply(&op, &empty, &f), MAXPOOL_USAGE, &op, &f, "at least 1");
    refused(maxpool_make_multiply(&op, &missing, &f), MAXPOOL_USAGE, &op, &f, "missing");
    const struct maxpool_multiply huge = {INT64_MAX / 2, 8, 8, b, NULL};
    refused(maxpool_make_multiply(&op, &huge, &f), MAXPOOL_RESOURCE, &op, &f, "bytes");
    const struct maxpool_convolve groups = {1, 3, 4, 4, 4, 2, 1, 1, 0, b, NULL, NULL};
    refused(maxpool_make_convolve(&op, &groups, &f), MAXPOOL_USAGE, &op, &f, "groups");
    const struct maxpool_distances uneven = {2, 1, 1, b, true, NULL};
    refused(maxpool_make_distances(&op, &uneven, &f), MAXPOOL_USAGE, &op, &f, "as rows");
}

TEST(test_described_refusals)
{
    static const struct {
        const char *words, *says;
        enum maxpool_status status;
    } bad[] = {
        {"operator=copy rows=2 cols=2 kernel=3", "copy has no kernel=3", MAXPOOL_USAGE},
        {"rows=2 cols=2", "'rows=2' names no operator", MAXPOOL_USAGE},
        {"", "'' names no operator", MAXPOOL_USAGE},
        {"operator=network rows=2 cols=2", "names no operator", MAXPOOL_USAGE},
        {"operator=copy rows=2", "at least 1", MAXPOOL_USAGE},
        {"operator=copy rows=0 cols=2", "has no rows=0", MAXPOOL_USAGE},
        {"operator=copy rows=2 cols=2x", "has no cols=2x", MAXPOOL_USAGE},
        {"operator=copy rows=2 cols", "has no cols", MAXPOOL_USAGE},
        {"operator=maxpool rows=9 cols=9 pad_mode=torn", "has no pad_mode=torn", MAXPOOL_USAGE},
        {"operator=distances rows=2 cols=2", "points is missing", MAXPOOL_USAGE},
        {"operator=copy rows=9223372036854775807 cols=2", "bytes", MAXPOOL_RESOURCE},
        {"operator=conv rows=9 cols=9 channels=1 filters=1 activation=relu", "ends with the bias",
         MAXPOOL_USAGE},
    };
    const float ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const struct maxpool_operand operands[] = {{"weights", ones}, {NULL, NULL}};
    struct maxpool_failure f;
    struct maxpool_operation *op = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const bool conv = strstr(bad[i].words, "=conv ") != NULL;
        const struct maxpool_described what = {bad[i].words, conv ? operands : NULL};
        refused(maxpool_make_described(&op, &what, &f), bad[i].status, &op, &f, bad[i].says);
    }
    const struct maxpool_described foreign = {"operator=copy rows=2 cols=2", operands};
    refused(maxpool_make_described(&op, &foreign, &f), MAXPOOL_USAGE, &op, &f,
            "no operand weights");
    const struct maxpool_described none = {NULL, NULL};
    refused(maxpool_make_described(&op, &none, &f), MAXPOOL_USAGE, &op, &f, "is NULL");
}

TEST(test_no_threads)
{
    const float image[] = {1, 2, 3, 4};
    float out;
    struct maxpool_failure f;
    struct maxpool_operation *op;
    const struct maxpool_pool p = {.image = {1, 2, 2}, .kernel = 2};
    assert_int_equal(maxpool_make_pool(&op, &p, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_run(op, image, &out, 0, &f), MAXPOOL_USAGE);
    assert_non_null(strstr(f.message, "threads"));
    maxpool_release(op);
    maxpool_release(NULL);
}

/* ---- networks -------------------------------------------------------------------------------- */

enum { BATCH = 4, INPUTS = 50 };

/* One thread, three threads, and shares computed in another order give the same outputs. */
TEST(test_network)
{
    float input[BATCH * INPUTS], alone[BATCH], output[BATCH];
    struct maxpool_network_options o = {.model = "mlp:20-10", .batch = BATCH, .seed = 35};
    struct maxpool_network *n;
    fill_fractions(input, BATCH * INPUTS);
    assert_int_equal(maxpool_make_network(&n, &o, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_network_forward(n, input, alone, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_network_verify(n, input, output, 0, NULL), MAXPOOL_OK);
    maxpool_network_release(n);
    o.threads = 3;
    assert_int_equal(maxpool_make_network(&n, &o, NULL), MAXPOOL_OK);
    assert_int_equal(maxpool_network_forward(n, input, output, NULL), MAXPOOL_OK);
    assert_memory_equal(alone, output, sizeof alone);
    memset(output, 0xff, sizeof output);
    maxpool_network_begin(n, input, output);
    for (int step = 0; step < maxpool_network_steps(n); step++)
        for (int64_t thread = 2; thread >= 0; thread--)
            maxpool_network_share(n, step, thread);
    assert_memory_equal(alone, output, sizeof alone);
    maxpool_network_release(n);
    maxpool_network_release(NULL);
}

TEST(test_network_facts)
{
    const struct maxpool_network_options o = {.model = "mlp:20-10", .batch = BATCH};
    struct maxpool_network *n;
    struct maxpool_tensor tensor;
    struct maxpool_layer layer;
    int64_t parameters = 0;
    assert_int_equal(maxpool_make_network(&n, &o, NULL), MAXPOOL_OK);
    assert_true(maxpool_network_output(n).images == BATCH);
    assert_true(maxpool_network_input(n).channels == INPUTS);
    assert_true(maxpool_network_tensor(n, 0, &tensor));
    assert_string_equal(tensor.name, "hidden1.weight");
    assert_true(tensor.lengths[0] == 20 && tensor.lengths[1] == INPUTS);
    for (size_t i = 0; maxpool_network_layer(n, i, &layer); i++)
        parameters += layer.parameters;
    assert_true(parameters == 20 * 50 + 20 + 10 * 20 + 10 + 10 + 1);
    maxpool_network_release(n);
}

/* Every model has a unique name and an idea, and can be made by its name. For an index after the
 * last model nothing is written. */
TEST(test_models)
{
    struct maxpool_model_facts m, untouched = {"mine", "mine", true};
    const char *names[64];
    size_t count = 0, sized = 0;
    for (; maxpool_get_model(count, &m); count++) {
        assert_true(count < sizeof names / sizeof *names && m.name[0] && m.idea[0]);
        names[count] = m.name;
        sized += m.sized;
        for (size_t i = 0; i < count; i++)
            assert_string_not_equal(names[i], m.name);
        struct maxpool_network *n;
        char name[64];
        snprintf(name, sizeof name, "%s%s", m.name, m.sized ? ":20-10" : "");
        const struct maxpool_network_options o = {.model = name};
        assert_int_equal(maxpool_make_network(&n, &o, NULL), MAXPOOL_OK);
        maxpool_network_release(n);
    }
    assert_true(count >= 5 && sized == 1);
    assert_false(maxpool_get_model(count, &untouched) || maxpool_get_model(SIZE_MAX, &untouched));
    assert_true(strcmp(untouched.name, "mine") == 0 && untouched.sized);
}

static size_t arena_of(const char *model, int64_t batch)
{
    const struct maxpool_network_options o = {.model = model, .batch = batch};
    struct maxpool_network *n;
    assert_int_equal(maxpool_make_network(&n, &o, NULL), MAXPOOL_OK);
    const size_t bytes = maxpool_network_arena(n);
    maxpool_network_release(n);
    return bytes;
}

/* The outputs of two layers are live at a time, and their memory is reused: the third layer takes
 * that of the first, the fourth that of the second. The arena grows with the batch. */
TEST(test_arena)
{
    const size_t two = arena_of("mlp:40-30", BATCH), four = arena_of("mlp:40-30-20-10", BATCH);
    assert_true(two >= (40 + 30) * BATCH * sizeof(float));
    assert_int_equal(four, two);
    assert_true(arena_of("mlp:40-30", 64 * BATCH) >= 32 * two);
    assert_int_equal(arena_of("mlp:40-60-20-10", BATCH) > two, 1);
}

TEST(test_network_refusals)
{
    struct maxpool_network *n;
    struct maxpool_failure f;
    const struct maxpool_network_options none = {.model = "nothing"};
    assert_int_equal(maxpool_make_network(&n, &none, &f), MAXPOOL_USAGE);
    assert_null(n);
    const struct maxpool_network_options method = {.model = "resnet18", .method = "nothing"};
    assert_int_equal(maxpool_make_network(&n, &method, &f), MAXPOOL_USAGE);
    assert_non_null(strstr(f.message, "nothing"));
    const struct maxpool_network_options file = {
        .model = "mlp:20", .weights = MAXPOOL_SOURCE_DIR "/README.md/weights.safetensors"};
    assert_int_equal(maxpool_make_network(&n, &file, &f), MAXPOOL_USAGE);
    assert_non_null(strstr(f.message, "weights.safetensors"));
    assert_null(n);
}

/* ---- wrong calls ----------------------------------------------------------------------------- */

static void expect_null(enum maxpool_status status, struct maxpool_failure *f)
{
    assert_int_equal(status, MAXPOOL_USAGE);
    assert_int_equal(f->status, MAXPOOL_USAGE);
    assert_non_null(strstr(f->message, "is NULL"));
    *f = (struct maxpool_failure){MAXPOOL_OK, ""};
}

static void make_nothing(void)
{
    struct maxpool_failure f = {MAXPOOL_OK, ""};
    struct maxpool_operation *op;
    struct maxpool_network *n;
    const struct maxpool_pool pool = {.image = {1, 4, 4}, .kernel = 2};
    const struct maxpool_multiply multiply = {.rows = 2, .inner = 2, .cols = 2};
    const struct maxpool_convolve convolve = {
        .batch = 1, .channels = 1, .rows = 2, .cols = 2, .filters = 1, .kernel = 1};
    const struct maxpool_distances distances = {.rows = 2, .cols = 2, .dimensions = 2};
    const struct maxpool_network_options network = {.model = NULL};
    expect_null(maxpool_make_pool(NULL, &pool, &f), &f);
    expect_null(maxpool_make_pool(&op, NULL, &f), &f);
    assert_null(op);
    expect_null(maxpool_make_multiply(NULL, &multiply, &f), &f);
    expect_null(maxpool_make_multiply(&op, NULL, &f), &f);
    expect_null(maxpool_make_convolve(NULL, &convolve, &f), &f);
    expect_null(maxpool_make_convolve(&op, NULL, &f), &f);
    expect_null(maxpool_make_distances(NULL, &distances, &f), &f);
    expect_null(maxpool_make_distances(&op, NULL, &f), &f);
    expect_null(maxpool_make_network(NULL, &network, &f), &f);
    expect_null(maxpool_make_network(&n, NULL, &f), &f);
    assert_null(n);
    assert_int_equal(maxpool_make_pool(NULL, NULL, NULL), MAXPOOL_USAGE);
    assert_int_equal(maxpool_make_multiply(&op, &multiply, &f), MAXPOOL_USAGE); /* B */
    assert_int_equal(maxpool_make_convolve(&op, &convolve, &f), MAXPOOL_USAGE);
    assert_int_equal(maxpool_make_distances(&op, &distances, &f), MAXPOOL_USAGE);
    assert_int_equal(maxpool_make_network(&n, &network, &f), MAXPOOL_USAGE);
}

static void ask_nothing(void)
{
    struct maxpool_layer layer;
    struct maxpool_tensor tensor;
    struct maxpool_method_facts m;
    maxpool_release(NULL);
    maxpool_network_release(NULL);
    assert_true(maxpool_input(NULL).rows == 0 && maxpool_output(NULL).rows == 0);
    assert_true(maxpool_rows(NULL) == 0 && maxpool_row_step(NULL) == 0);
    assert_true(maxpool_scratch(NULL) == 0 && maxpool_network_arena(NULL) == 0);
    assert_true(maxpool_network_input(NULL).rows == 0 && maxpool_network_output(NULL).rows == 0);
    assert_int_equal(maxpool_network_steps(NULL), 0);
    assert_false(maxpool_get_method("maxpool", 0, NULL));
    assert_false(maxpool_get_method(NULL, 0, &m));
    assert_false(maxpool_get_method("no such operator", 0, &m));
    assert_true(maxpool_get_method("copy", 0, &m)); /* as every operator of the suite */
    assert_false(maxpool_get_model(0, NULL));
    assert_false(maxpool_network_layer(NULL, 0, &layer));
    assert_false(maxpool_network_tensor(NULL, 0, &tensor));
    assert_non_null(maxpool_status_text((enum maxpool_status)77));
    assert_non_null(maxpool_version());
}

static void run_nothing(void)
{
    struct maxpool_failure f = {MAXPOOL_OK, ""};
    struct maxpool_operation *op;
    float image[16] = {0}, map[16] = {0}, scratch[64], *const none = NULL;
    const struct maxpool_pool pool = {.image = {1, 4, 4}, .kernel = 2};
    assert_int_equal(maxpool_make_pool(&op, &pool, &f), MAXPOOL_OK);
    expect_null(maxpool_run(NULL, image, map, 1, &f), &f);
    expect_null(maxpool_run(op, none, map, 1, &f), &f);
    expect_null(maxpool_run(op, image, none, 1, &f), &f);
    assert_int_equal(maxpool_run(op, image, none, 1, NULL), MAXPOOL_USAGE);
    expect_null(maxpool_verify(NULL, image, map, NULL, &f), &f);
    expect_null(maxpool_verify(op, none, map, NULL, &f), &f);
    expect_null(maxpool_verify(op, image, none, NULL, &f), &f);
    map[0] = -1.0f;
    maxpool_compute(NULL, image, map, 0, 1, scratch);
    maxpool_compute(op, none, map, 0, 1, scratch);
    maxpool_compute(op, image, none, 0, 1, scratch);
    maxpool_compute(op, image, map, -1, 1, scratch);
    maxpool_compute(op, image, map, 0, 3, scratch);
    maxpool_compute(op, image, map, INT64_MAX, 2, scratch);
    assert_true(map[0] == -1.0f);
    maxpool_release(op);
}

static void run_no_network(void)
{
    struct maxpool_failure f = {MAXPOOL_OK, ""};
    struct maxpool_network *n;
    float vector[50] = {0}, output[1] = {0}, *const none = NULL;
    const struct maxpool_network_options options = {.model = "mlp:3", .batch = 1, .threads = 1};
    assert_int_equal(maxpool_make_network(&n, &options, &f), MAXPOOL_OK);
    maxpool_network_share(n, 0, 0); /* not begun */
    expect_null(maxpool_network_forward(NULL, vector, output, &f), &f);
    expect_null(maxpool_network_forward(n, none, output, &f), &f);
    expect_null(maxpool_network_forward(n, vector, none, &f), &f);
    expect_null(maxpool_network_verify(NULL, vector, output, 0, &f), &f);
    expect_null(maxpool_network_verify(n, none, output, 0, &f), &f);
    expect_null(maxpool_network_verify(n, vector, none, 0, &f), &f);
    maxpool_network_begin(NULL, vector, output);
    maxpool_network_begin(n, none, none);
    maxpool_network_share(NULL, 0, 0);
    maxpool_network_begin(n, vector, output);
    maxpool_network_share(n, -1, 0);
    maxpool_network_share(n, maxpool_network_steps(n), 0);
    maxpool_network_share(n, 0, 1);
    assert_false(maxpool_network_layer(n, 0, NULL));
    assert_false(maxpool_network_tensor(n, 0, NULL));
    assert_int_equal(maxpool_network_forward(n, vector, output, &f), MAXPOOL_OK);
    maxpool_network_release(n);
}

static void *call_wrongly(void *unused)
{
    make_nothing();
    ask_nothing();
    run_nothing();
    run_no_network();
    return unused;
}

/* Every public function, in one thread, in two at once, and in a child after a fork. An assertion
 * that fails in a second thread or the child ends the process. */
TEST(test_wrong_calls)
{
    call_wrongly(NULL);
    pthread_t second;
    assert_int_equal(pthread_create(&second, NULL, call_wrongly, NULL), 0);
    call_wrongly(NULL);
    assert_int_equal(pthread_join(second, NULL), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        call_wrongly(NULL);
        _exit(0);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}
