/* Tests the gradients of convolution by every method of the table, in every instruction set that
 * runs here, over its grid of named edge cases: in one call and in parts, as planes and as lines. A
 * fence is directly after or before the operands, guards surround map, weights and scratch, and the
 * map is poisoned. Integers must equal the oracle bit for bit; other values must be within its
 * bound. test_backward.c compares the oracle with central differences. Seeded faults must be
 * seen. */
#include "kernels/conv/gradients/gradient_oracle.h"
#include "kernels/conv/gradients/gradient_phases.h"
#include "kernels/conv/gradients/weight_methods.h"
#include "kernels/operators.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct problem {
    struct conv_shape shape;
    int64_t inputs, weight_count, outputs; /* floats, of all images */
    float *image, *weights, *d_output;
    bool exact;
};

static struct problem make_problem(const struct conv_case *c, bool integers)
{
    struct problem p = {.shape = case_conv_shape(c), .exact = integers};
    const struct conv_shape *s = &p.shape;
    p.inputs = s->batch * s->channels * s->rows * s->cols;
    p.weight_count = s->filters * conv_terms(s);
    p.outputs = s->batch * s->filters * s->out_rows * s->out_cols;
    p.image = case_thirds(p.inputs, 1, integers);
    p.weights = case_thirds(p.weight_count, 2, integers);
    p.d_output = case_thirds(p.outputs, 3, integers);
    return p;
}

static void free_problem(struct problem *p)
{
    free(p->image);
    free(p->weights);
    free(p->d_output);
}

/* The last copy that was fenced. */
static float *last_fenced;

static const float *fenced(const float *from, int64_t count)
{
    last_fenced = fenced_room((size_t)count);
    memcpy(last_fenced, from, (size_t)count * sizeof *from);
    return last_fenced;
}

/* How often each of these ran, so that no part of the grid is skipped unnoticed. */
static struct {
    int64_t numbers, phases, together, apart, direct, strided;
} compared;

/* ---- data gradient --------------------------------------------------------------------------- */

typedef void image_function(const struct conv_data_gradient_method *m, enum isa isa,
                            const struct conv_data_gradient *call, const float *packed,
                            void *scratch);

/* Computes the data gradient of all images in bands of `band` rows. `lines`: row r of all channels
 * is contiguous. Returns false if a guard was touched. */
static bool run_image(const struct problem *p, const struct conv_data_gradient_method *m,
                      enum isa isa, image_function *run, bool lines, int64_t band, float *map)
{
    const struct conv_shape *s = &p->shape;
    const int64_t d_output = s->filters * s->out_rows * s->out_cols;
    const int64_t elements = s->channels * s->rows * s->cols;
    const size_t floats = conv_data_gradient_packed(m, s);
    const size_t count = (conv_data_gradient_scratch(m, s) + 3) / 4;
    float *packed = guarded_new(floats), *scratch = guarded_new(count);
    conv_data_gradient_pack(m, isa, s, p->weights, packed);
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t row = 0; row < s->rows; row += band) {
            const struct conv_data_gradient call = {
                .shape = s,
                .weights = m->direct ? p->weights : NULL, /* other methods have packed them */
                .d_output = fenced(p->d_output + n * d_output, d_output),
                .image = {map + n * elements, lines ? s->channels * s->cols : s->cols, 0,
                          lines ? s->cols : s->rows * s->cols},
                .row = row,
                .rows = row + band < s->rows ? band : s->rows - row};
            run(m, isa, &call, packed, scratch);
        }
    const bool kept = guarded_intact(packed, floats) && guarded_intact(scratch, count);
    guarded_free(packed);
    guarded_free(scratch);
    return kept;
}

static struct expectation image_expected(const struct problem *p,
                                         const struct conv_data_gradient_method *m, int64_t n,
                                         int64_t c, int64_t y, int64_t x)
{
    const struct conv_gradient_operands o = {
        .shape = &p->shape, .weights = p->weights, .d_output = p->d_output};
    struct expectation e = oracle_conv_data_gradient(&o, n, c, y, x);
    if (m->forward && m->forward->bound)
        e.bound = fmax(e.bound, oracle_conv_data_gradient_winograd_bound(&o, n, c, y, x));
    if (p->exact)
        e.bound = 0.0;
    return e;
}

static int64_t wrong_elements(const struct problem *p, const struct conv_data_gradient_method *m,
                              bool lines, const float *map)
{
    const struct conv_shape *s = &p->shape;
    int64_t wrong = 0;
    for (int64_t i = 0; i < p->inputs; i++) {
        const int64_t n = i / (s->channels * s->rows * s->cols);
        const int64_t line = i / s->cols % (s->channels * s->rows);
        const int64_t c = lines ? line % s->channels : line / s->rows;
        const int64_t y = lines ? line / s->channels : line % s->rows;
        wrong += !oracle_accepts(image_expected(p, m, n, c, y, i % s->cols), map[i]);
    }
    compared.numbers += p->inputs;
    return wrong;
}

static int64_t image_failures(const struct problem *p, const struct conv_data_gradient_method *m,
                              enum isa isa, image_function *run, bool lines, int64_t band)
{
    float *map = guarded_new((size_t)p->inputs);
    const bool kept =
        run_image(p, m, isa, run, lines, band, map) && guarded_intact(map, (size_t)p->inputs);
    const int64_t wrong = kept ? wrong_elements(p, m, lines, map) : 1;
    guarded_free(map);
    return wrong;
}

static int64_t image_failures_of_case(const struct conv_case *c,
                                      const struct conv_data_gradient_method *m, enum isa isa,
                                      image_function *run)
{
    int64_t wrong = 0;
    for (int integers = 0; integers < 2; integers++) {
        struct problem p = make_problem(c, integers != 0);
        wrong += image_failures(&p, m, isa, run, false, p.shape.rows) +
                 image_failures(&p, m, isa, run, true, 3);
        free_problem(&p);
    }
    return wrong;
}

static void count_kind(const struct conv_data_gradient_method *m, const struct conv_shape *s)
{
    if (m->direct)
        return;
    const struct conv_phases p = conv_phases_of(m, s);
    if (m->strided[ISA_BASELINE] && conv_data_gradient_prefers_strided(s)) {
        compared.strided++;
        return;
    }
    compared.direct += p.direct;
    compared.phases += p.side > 1;
    compared.together += p.together > 1;
    compared.apart += p.parts > 1;
}

TEST(every_method_has_the_gradient_of_the_image)
{
    for (size_t i = 0; i < conv_data_gradient_method_count; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
            for (size_t j = 0; j < conv_case_count; j++) {
                const struct conv_data_gradient_method *m = &conv_data_gradient_methods[i];
                const struct conv_shape s = case_conv_shape(&conv_cases[j]);
                if (isa_missing(isa) || !conv_data_gradient_is_built(&m->head, isa) ||
                    conv_data_gradient_refuses(m, &s))
                    continue;
                count_kind(m, &s);
                if (image_failures_of_case(&conv_cases[j], m, isa, conv_data_gradient_by) > 0)
                    fail_msg("%s in %s, %s", m->head.name, isa_name(isa), conv_cases[j].name);
            }
    print_message("compared %lld numbers; of the shapes, %lld are one convolution, %lld have phases"
                  ", %lld of them together, %lld apart; %lld by their own places\n",
                  (long long)compared.numbers, (long long)compared.direct,
                  (long long)compared.phases, (long long)compared.together,
                  (long long)compared.apart, (long long)compared.strided);
    assert_true(compared.direct > 20 && compared.phases > 10 && compared.together > 10 &&
                compared.apart > 1 && compared.strided > 1);
}

/* Shapes whose phases have their own places: groups, tails of micro-panels, several bands of rows
 * and of columns, several panels of terms, windows narrower than the stride. */
static const struct conv_case strided_cases[] = {
    {"one_channel_more", 2, 33, 13, 11, 20, 3, 2, 1, 1, false},
    {"groups", 1, 24, 9, 14, 10, 3, 2, 0, 2, false},
    {"bands_of_columns", 1, 10, 5, 90, 600, 3, 2, 1, 1, false},
    {"bands_of_rows", 1, 9, 70, 40, 3, 3, 2, 1, 1, false},
    {"by_three", 1, 17, 16, 17, 6, 4, 3, 2, 1, false},
    {"narrower_than_the_stride", 1, 16, 15, 20, 6, 2, 5, 1, 1, false},
    {"wide_window", 1, 14, 20, 19, 5, 7, 2, 3, 1, false},
    {"one_element", 1, 16, 1, 1, 3, 3, 2, 1, 1, false},
};

TEST(phases_have_places_of_their_own)
{
    const struct conv_data_gradient_method *m = conv_data_gradient_find("implicit");
    for (size_t j = 0; j < sizeof strided_cases / sizeof *strided_cases; j++) {
        const struct conv_shape s = case_conv_shape(&strided_cases[j]);
        assert_true(conv_data_gradient_prefers_strided(&s));
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
            if (!isa_missing(isa) && m->strided[isa] &&
                image_failures_of_case(&strided_cases[j], m, isa, conv_data_gradient_by) > 0)
                fail_msg("%s in %s", strided_cases[j].name, isa_name(isa));
    }
}

/* Results for integers equal those of the definition's loops bit for bit. */
TEST(phases_are_the_definition)
{
    const struct conv_data_gradient_method *m = conv_data_gradient_find("implicit");
    for (size_t j = 0; j < conv_case_count; j++) {
        struct problem p = make_problem(&conv_cases[j], true);
        const struct conv_shape *s = &p.shape;
        float *found = guarded_new((size_t)p.inputs), *right = guarded_new((size_t)p.inputs);
        assert_true(run_image(&p, m, conv_data_gradient_isa(m, isa_best()), conv_data_gradient_by,
                              false, s->rows, found));
        for (int64_t n = 0; n < s->batch; n++) {
            const struct conv_data_gradient call = {
                s,
                p.weights,
                p.d_output + n * s->filters * s->out_rows * s->out_cols,
                {right + n * s->channels * s->rows * s->cols, s->cols, 0, s->rows * s->cols},
                0,
                s->rows};
            conv_data_gradient_literal(&call);
        }
        for (int64_t i = 0; i < p.inputs; i++)
            assert_true(found[i] == right[i]);
        guarded_free(found);
        guarded_free(right);
        free_problem(&p);
    }
}

/* ---- weight gradient ------------------------------------------------------------------------- */

/* Returns the image in lines: row r of all channels is contiguous. */
static float *in_lines(const struct problem *p)
{
    const struct conv_shape *s = &p->shape;
    float *lines = malloc((size_t)p->inputs * sizeof *lines);
    assert_non_null(lines);
    for (int64_t i = 0; i < p->inputs; i++) {
        const int64_t plane = i / (s->rows * s->cols), y = i / s->cols % s->rows;
        const int64_t line = (plane / s->channels * s->rows + y) * s->channels;
        lines[(line + plane % s->channels) * s->cols + i % s->cols] = p->image[i];
    }
    return lines;
}

/* Computes the weight gradient in calls of `part` filters, with the image or the output gradients
 * fenced. Returns false if a guard was touched. */
static bool run_weights(const struct problem *p, const struct conv_weight_gradient_method *m,
                        conv_weight_gradient_function *run, bool lines, int64_t part, float *map)
{
    const struct conv_shape *s = &p->shape;
    const size_t count = m->scratch ? (m->scratch(s, part) + 3) / 4 : 0;
    float *scratch = guarded_new(count), *own = lines ? in_lines(p) : NULL;
    const float *image = own ? own : p->image;
    for (int64_t f = 0; f < s->filters; f += part) {
        struct conv_weight_gradient call = {.shape = s,
                                            .image = conv_images_by_planes(s, image),
                                            .d_output = p->d_output,
                                            .images = s->batch,
                                            .filter = f,
                                            .filters =
                                                f + part < s->filters ? part : s->filters - f,
                                            .weights = map + f * conv_terms(s)};
        if (lines) {
            call.image.channel_stride = s->cols;
            call.image.row_stride = s->channels * s->cols;
            call.image.data = fenced(image, p->inputs);
        } else {
            call.d_output = fenced(p->d_output, p->outputs);
        }
        run(&call, scratch);
    }
    const bool kept = guarded_intact(scratch, count);
    guarded_free(scratch);
    free(own);
    return kept;
}

static int64_t wrong_weights(const struct problem *p, const struct conv_weight_gradient_method *m,
                             const float *map)
{
    const struct conv_gradient_operands o = {.shape = &p->shape,
                                             .image = conv_images_by_planes(&p->shape, p->image),
                                             .d_output = p->d_output,
                                             .images = p->shape.batch};
    int64_t wrong = 0;
    for (int64_t i = 0; i < p->weight_count; i++) {
        struct expectation e = oracle_conv_weight_gradient(&o, i);
        if (m->bound)
            e.bound = m->bound(&o, i, 1);
        e.bound = p->exact ? 0.0 : e.bound;
        wrong += !oracle_accepts(e, map[i]);
    }
    compared.numbers += p->weight_count;
    return wrong;
}

static int64_t weight_failures(const struct conv_case *c,
                               const struct conv_weight_gradient_method *m,
                               conv_weight_gradient_function *run)
{
    int64_t wrong = 0;
    for (int how = 0; how < 4; how++) {
        struct problem p = make_problem(c, (how & 1) != 0);
        const bool lines = (how & 2) != 0;
        float *map = guarded_new((size_t)p.weight_count);
        const int64_t part = how == 3 ? GRADIENT_FILTERS : p.shape.filters;
        const bool kept =
            run_weights(&p, m, run, lines, part < p.shape.filters ? part : p.shape.filters, map) &&
            guarded_intact(map, (size_t)p.weight_count);
        wrong += kept ? wrong_weights(&p, m, map) : 1;
        guarded_free(map);
        free_problem(&p);
    }
    return wrong;
}

TEST(every_method_has_the_gradient_of_the_weights)
{
    int64_t methods = 0, shapes = 0;
    compared.numbers = 0;
    for (size_t i = 0; i < conv_weight_gradient_method_count; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
            const struct conv_weight_gradient_method *m = &conv_weight_gradient_methods[i];
            if (isa_missing(isa) || !m->run[isa])
                continue;
            methods++;
            for (size_t j = 0; j < conv_case_count; j++) {
                const struct conv_shape s = case_conv_shape(&conv_cases[j]);
                if (m->refuses && m->refuses(&s))
                    continue;
                if (weight_failures(&conv_cases[j], m, m->run[isa]) > 0)
                    fail_msg("%s in %s, %s", m->head.name, isa_name(isa), conv_cases[j].name);
                shapes += m->refuses != NULL;
            }
        }
    print_message("compared %lld numbers of %lld builds\n", (long long)compared.numbers,
                  (long long)methods);
    assert_true(methods >= 3 && shapes > 5 && compared.numbers > 10000);
}

/* More filters than one block of sums holds, and more images than are transformed at a time. */
TEST(transformed_weights_are_summed_in_blocks)
{
    static const struct conv_case cases[] = {
        {"blocks_of_filters", 1, 300, 1, 3, 70, 3, 1, 1, 1, false},
        {"several_images", 17, 3, 5, 6, 4, 3, 1, 1, 1, false},
    };
    const struct conv_weight_gradient_method *m = conv_weight_gradient_method_of(
        operator_method(&conv_weight_gradient_operator, SPACE_HOST, "winograd"));
    for (size_t j = 0; j < sizeof cases / sizeof *cases; j++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
            if (!isa_missing(isa) && m->run[isa] && weight_failures(&cases[j], m, m->run[isa]) > 0)
                fail_msg("%s in %s", cases[j].name, isa_name(isa));
}

/* Transforms are used if they need at most three quarters of the definition's products, and
 * channels and filters are not few. A worker's scratch then does not hold all filters. */
TEST(transforms_are_used_where_they_save)
{
    const struct conv_case many = {"many", 1, 512, 7, 7, 512, 3, 1, 1, 1, false};
    const struct conv_case small = {"small", 1, 64, 3, 3, 64, 3, 1, 1, 1, false};
    const struct conv_case few = {"few", 1, 15, 8, 8, 64, 3, 1, 1, 1, false};
    const struct conv_shape s = case_conv_shape(&many);
    assert_true(conv_weight_gradient_prefers_winograd(&s));
    assert_true(conv_weight_gradient_winograd_scratch(&s, 512) <
                conv_weight_gradient_scratch(&s, 512));
    for (int i = 0; i < 2; i++) {
        const struct conv_shape not = case_conv_shape(i == 0 ? &small : &few);
        assert_false(conv_weight_gradient_prefers_winograd(&not ));
    }
}

/* ---- seeded faults --------------------------------------------------------------------------- */

static void sign_of_d_output(const struct conv_data_gradient_method *m, enum isa isa,
                             const struct conv_data_gradient *call, const float *packed,
                             void *scratch)
{
    *last_fenced = -*last_fenced;
    conv_data_gradient_by(m, isa, call, packed, scratch);
}

static void last_row_not_stored(const struct conv_data_gradient_method *m, enum isa isa,
                                const struct conv_data_gradient *call, const float *packed,
                                void *scratch)
{
    struct conv_data_gradient cut = *call;
    cut.rows--;
    if (cut.rows > 0)
        conv_data_gradient_by(m, isa, &cut, packed, scratch);
}

/* Swaps the elements of the first two columns, which belong to different phases. */
static void phases_swapped(const struct conv_data_gradient_method *m, enum isa isa,
                           const struct conv_data_gradient *call, const float *packed,
                           void *scratch)
{
    conv_data_gradient_by(m, isa, call, packed, scratch);
    for (int64_t y = call->row; y < call->row + call->rows; y++) {
        float *row = map_row(&call->image, y), kept = row[0];
        row[0] = row[1];
        row[1] = kept;
    }
}

/* An element that no window has must become 0. This one keeps its old value. */
static void rest_not_cleared(const struct conv_data_gradient_method *m, enum isa isa,
                             const struct conv_data_gradient *call, const float *packed,
                             void *scratch)
{
    const int64_t last = call->row + call->rows - 1;
    float *row = map_row(&call->image, last) + call->shape->cols - 1, kept = *row;
    conv_data_gradient_by(m, isa, call, packed, scratch);
    *row = kept;
}

TEST(faults_of_the_image_are_caught)
{
    image_function *const faults[] = {sign_of_d_output, last_row_not_stored, phases_swapped,
                                      rest_not_cleared};
    const char *const names[] = {"stride_gt_kernel", "groups",          "prime_channels",
                                 "first_layer",      "depthwise_apart", "many_channels_apart"};
    for (size_t i = 0; i < conv_data_gradient_method_count; i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            const struct conv_data_gradient_method *m = &conv_data_gradient_methods[i];
            const struct conv_shape s = case_conv_shape(conv_case_of(names[j]));
            const enum isa isa = conv_data_gradient_isa(m, isa_best());
            if (conv_data_gradient_refuses(m, &s))
                continue;
            for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
                if (image_failures_of_case(conv_case_of(names[j]), m, isa, faults[f]) == 0)
                    fail_msg("fault %zu of %s in %s was not caught", f, m->head.name, names[j]);
        }
}

/* Faults of each method of the weight gradient: it runs, and its call or what it stored is
 * changed. */
static const struct conv_weight_gradient_method *victim;

static void run_victim(const struct conv_weight_gradient *call, void *scratch)
{
    enum isa isa = isa_best();
    while (!victim->run[isa])
        isa--;
    victim->run[isa](call, scratch);
}

static void sign_of_a_sum(const struct conv_weight_gradient *call, void *scratch)
{
    run_victim(call, scratch);
    call->weights[0] = -call->weights[0] - 1.0f;
}

static void last_sum_not_stored(const struct conv_weight_gradient *call, void *scratch)
{
    float *last = call->weights + call->filters * conv_terms(call->shape) - 1, kept = *last;
    run_victim(call, scratch);
    *last = kept;
}

static void last_image_left_out(const struct conv_weight_gradient *call, void *scratch)
{
    struct conv_weight_gradient cut = *call;
    cut.images--;
    run_victim(&cut, scratch);
}

static void filters_of_another_part(const struct conv_weight_gradient *call, void *scratch)
{
    struct conv_weight_gradient other = *call;
    other.filter = 0;
    run_victim(&other, scratch);
}

/* Transposes the first window. */
static void places_turned(const struct conv_weight_gradient *call, void *scratch)
{
    const int64_t k = call->shape->kernel;
    run_victim(call, scratch);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < i; j++) {
            float *a = call->weights + i * k + j, *b = call->weights + j * k + i, kept = *a;
            *a = *b;
            *b = kept;
        }
}

/* The fault must be caught in that case. Cases that the method cannot compute are skipped. */
static void expect_caught(conv_weight_gradient_function *fault, const char *case_name)
{
    const struct conv_case *c = conv_case_of(case_name);
    const struct conv_shape s = case_conv_shape(c);
    if (victim->refuses && victim->refuses(&s))
        return;
    assert_int_equal(weight_failures(c, victim, run_victim), 0);
    if (weight_failures(c, victim, fault) == 0)
        fail_msg("%s in %s was not caught", victim->head.name, case_name);
}

TEST(faults_of_the_weights_are_caught)
{
    static conv_weight_gradient_function *const faults[] = {sign_of_a_sum, last_sum_not_stored,
                                                            last_image_left_out, places_turned};
    static const char *const names[] = {"groups", "stride_gt_kernel", "prime_channels"};
    for (size_t i = 0; i < conv_weight_gradient_method_count; i++) {
        victim = &conv_weight_gradient_methods[i];
        for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
            for (size_t j = 0; j < sizeof names / sizeof *names; j++)
                expect_caught(faults[f], names[j]);
        expect_caught(filters_of_another_part, "several_blocks_of_filters");
    }
}
