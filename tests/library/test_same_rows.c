/* The bits of an operation of libmaxpool depend neither on the number of threads nor on how a
 * caller divides the rows, and those of a network not on its threads: every method and model, with
 * sizes and divisions drawn from pinned seeds, through the shared library alone. */
#include "tests/support/unit_test.h"

#include <math.h>
#include <maxpool/maxpool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 12, LONG_FACTOR = 50, ELEMENTS = 1 << 18, WORDS = 256 };

/* Uniform in [least, most]. */
static int64_t draw(uint64_t *state, int64_t least, int64_t most)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return least + (int64_t)((*state >> 33) % (uint64_t)(most - least + 1));
}

/* Thirds, whose sums round: another order of a sum shows. */
static float *thirds(uint64_t state)
{
    float *values = malloc(ELEMENTS * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < ELEMENTS; i++)
        values[i] = (float)draw(&state, -300, 300) / 3.0f;
    return values;
}

/* ---- drawing ---------------------------------------------------------------------------------
 */

static void describe_convolution(uint64_t *state, const char *name, char words[WORDS])
{
    const bool tiles = draw(state, 0, 1); /* outputs that winograd's methods compute */
    const int64_t kernel = tiles ? 3 : draw(state, 1, 5), stride = tiles ? 1 : draw(state, 1, 3);
    const int64_t form = draw(state, 0, 3), depth = draw(state, 1, 20);
    const int64_t groups = form == 3 ? depth : form == 2 ? 2 : 1;
    const int64_t channels = form == 3 ? depth : groups * depth;
    const int64_t filters = form == 3 ? depth : groups * draw(state, 1, 24);
    const int64_t rows = draw(state, kernel, 23), cols = draw(state, kernel, 23);
    snprintf(words, WORDS,
             "operator=%s batch=%d rows=%d cols=%d channels=%d filters=%d groups=%d kernel=%d "
             "stride=%d padding=%d",
             name, (int)draw(state, 1, 3), (int)rows, (int)cols, (int)channels, (int)filters,
             (int)groups, (int)kernel, (int)stride, (int)draw(state, 0, kernel / 2 + 1));
}

static void describe_sizes(uint64_t *state, const char *name, char words[WORDS])
{
    const int64_t kernel = draw(state, 1, 7);
    const int64_t rows = draw(state, kernel, 50), cols = draw(state, kernel, 50);
    const int length =
        snprintf(words, WORDS, "operator=%s planes=%d rows=%d cols=%d", name,
                 strcmp(name, "distances") == 0 ? 1 : (int)draw(state, 1, 3), (int)rows, (int)cols);
    if (strcmp(name, "maxpool") == 0)
        snprintf(words + length, (size_t)(WORDS - length), " kernel=%d stride=%d padding=%d",
                 (int)kernel, (int)draw(state, 1, 4), (int)draw(state, 0, kernel / 2));
    if (strcmp(name, "matmul") == 0)
        snprintf(words + length, (size_t)(WORDS - length), " filter_cols=%d",
                 (int)draw(state, 1, 90));
    if (strcmp(name, "distances") == 0)
        snprintf(words + length, (size_t)(WORDS - length), " against=itself");
}

/* The operators, the words that begin their descriptions, and their operands. Max pooling has the
 * identity. */
static const struct {
    const char *name, *words, *operands[3];
} operators[] = {
    {"maxpool", "maxpool", {NULL}},
    {"matmul", "matmul", {"filter", NULL}},
    {"distances", "distances", {"against", NULL}},
    {"copy", "copy", {NULL}},
    {"conv", "conv", {"weights", "bias", NULL}},
    {"conv_data_gradient", "conv gradient=image", {"weights", "d_output", NULL}},
    {"conv_weight_gradient", "conv gradient=weights", {"d_output", NULL}},
};

static enum maxpool_status make(struct maxpool_operation **op, size_t kind, const char *words,
                                const char *method, const float *values)
{
    char all[2 * WORDS];
    struct maxpool_operand operands[3] = {{NULL, NULL}};
    for (size_t i = 0; i < 3 && operators[kind].operands[i]; i++)
        operands[i] = (struct maxpool_operand){operators[kind].operands[i], values};
    snprintf(all, sizeof all, "%s method=%s", words, method);
    const struct maxpool_described what = {all, operands};
    return maxpool_make_described(op, &what, NULL);
}

/* ---- dividing --------------------------------------------------------------------------------
 */

/* Computes blocks of rows that begin at random multiples of the row step, the last block first. */
static void compute_by_blocks(const struct maxpool_operation *op, const float *input, float *output,
                              uint64_t *state)
{
    const int64_t rows = maxpool_rows(op), each = maxpool_output(op).rows;
    void *scratch = aligned_alloc(64, (maxpool_scratch(op) + 63) / 64 * 64 + 64);
    int64_t end = rows;
    while (end > 0) {
        const int64_t at = draw(state, 0, end - 1);
        const int64_t first = at - at % each % maxpool_row_step(op);
        maxpool_compute(op, input, output, first, end - first, scratch);
        end = first;
    }
    free(scratch);
}

static bool is_same(const float *a, const float *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (isnan(a[i]))
            return false;
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* Returns 1, and prints which, if a division of the rows gives other bits than one thread. */
static int differs(const struct maxpool_operation *op, const float *input, uint64_t *state,
                   const char *words, const char *method)
{
    const struct maxpool_shape s = maxpool_output(op);
    const int64_t count = s.planes * s.rows * s.cols, threads = draw(state, 2, 7);
    const size_t bytes = (size_t)count * sizeof(float);
    float *alone = malloc(bytes), *output = malloc(bytes);
    memset(alone, 0xff, bytes);
    assert_int_equal(maxpool_run(op, input, alone, 1, NULL), MAXPOOL_OK);
    memset(output, 0xff, bytes);
    assert_int_equal(maxpool_run(op, input, output, threads, NULL), MAXPOOL_OK);
    const bool by_threads = !is_same(output, alone, count);
    memset(output, 0xff, bytes);
    compute_by_blocks(op, input, output, state);
    const bool by_blocks = !is_same(output, alone, count);
    if (by_threads || by_blocks)
        fprintf(stderr, "%s method=%s differs by%s%s\n", words, method,
                by_threads ? " threads" : "", by_blocks ? " blocks" : "");
    free(alone);
    free(output);
    return by_threads || by_blocks;
}

static int count_differences(size_t kind, uint64_t seed, size_t *computed)
{
    const bool conv = strncmp(operators[kind].words, "conv", 4) == 0;
    float *image = thirds(seed), *other = thirds(seed + 1000);
    const float *values = strcmp(operators[kind].name, "distances") == 0 ? image : other;
    struct maxpool_method_facts m;
    struct maxpool_operation *op;
    char words[WORDS];
    int differences = 0;
    uint64_t state = seed * 0x9e3779b97f4a7c15U + 1;
    (conv ? describe_convolution : describe_sizes)(&state, operators[kind].words, words);
    for (size_t i = 0; maxpool_get_method(operators[kind].name, i, &m); i++) {
        if (make(&op, kind, words, m.name, values) != MAXPOOL_OK)
            continue;
        differences += differs(op, image, &state, words, m.name);
        ++*computed;
        maxpool_release(op);
    }
    free(image);
    free(other);
    return differences;
}

TEST(bits_are_those_of_one_thread)
{
    const uint64_t draws = DRAWS * (getenv("MAXPOOL_LONG") ? LONG_FACTOR : 1);
    int differences = 0;
    for (size_t kind = 0; kind < sizeof operators / sizeof *operators; kind++) {
        size_t computed = 0;
        for (uint64_t seed = 0; seed < draws; seed++)
            differences += count_differences(kind, seed, &computed);
        assert_true(computed >= draws); /* one method at least computes every draw */
    }
    assert_int_equal(differences, 0);
}

/* ---- networks -------------------------------------------------------------------------------- */

/* Computes the outputs of a batch; a network of several threads share by share, the last thread
 * first. The caller frees them. */
static float *outputs_of(const struct maxpool_network_options *o, const float *input,
                         int64_t *count)
{
    struct maxpool_network *n;
    assert_int_equal(maxpool_make_network(&n, o, NULL), MAXPOOL_OK);
    const struct maxpool_batch b = maxpool_network_output(n);
    *count = b.images * b.channels * b.rows * b.cols;
    float *output = malloc((size_t)*count * sizeof *output);
    memset(output, 0xff, (size_t)*count * sizeof *output);
    maxpool_network_begin(n, input, output);
    for (int step = 0; step < maxpool_network_steps(n); step++)
        for (int64_t thread = o->threads - 1; thread >= 0; thread--)
            maxpool_network_share(n, step, thread);
    maxpool_network_release(n);
    return output;
}

/* Odd sizes, of which threads get unequal shares. */
TEST(networks_have_the_bits_of_one_thread)
{
    static const struct maxpool_network_options networks[] = {
        {.model = "resnet18", .rows = 37, .cols = 61},
        {.model = "mobilenet_v2", .rows = 61, .cols = 37},
        {.model = "mobilenet_v2", .rows = 97, .cols = 33},
        {.model = "solar_cnn", .rows = 13, .cols = 22},
        {.model = "alexnet_mri"},
        {.model = "mlp:50-25"},
    };
    float *input = thirds(35);
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        for (int64_t batch = 1; batch <= 3; batch += 2) {
            struct maxpool_network_options o = networks[i];
            uint64_t seed = 2 * i + (uint64_t)batch;
            int64_t count;
            o.batch = batch;
            o.threads = 1;
            float *alone = outputs_of(&o, input, &count);
            o.threads = draw(&seed, 2, 7);
            float *output = outputs_of(&o, input, &count);
            if (!is_same(output, alone, count))
                fail_msg("%s, %d images, %d threads", o.model, (int)batch, (int)o.threads);
            free(alone);
            free(output);
        }
    free(input);
}
