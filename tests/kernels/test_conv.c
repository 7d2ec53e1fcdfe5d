/* Tests every method of convolution, in every instruction set that runs here, over a grid of named
 * edge cases: in one call, for all images if the method takes several, and in bands of rows that
 * have only what they need. A fence is directly after or before the image or images, guards
 * surround map and scratch, and the map is poisoned. Integers must equal the oracle's sums bit for
 * bit; other values must be within its bound. Also the known answers of tests/cases/conv, and
 * seeded faults. */
#include "tests/support/cases.h"

#include "kernels/conv/methods.h"
#include "kernels/conv/oracle.h"
#include "tests/support/unit_test.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the cases ------------------------------------------------------------------------------- */

/* A problem with its operands. */
struct problem {
    struct conv_shape shape;
    float *image, *weights, *bias; /* bias may be NULL */
    float *residual;               /* shaped like the map, plane by plane; NULL: none */
    bool clamped;                  /* to 0 .. 6 */
    bool exact;
};

static struct problem make_problem(const struct conv_case *c, bool integers)
{
    const struct conv_shape s = case_conv_shape(c);
    return (struct problem){
        .shape = s,
        .image = case_thirds(s.batch * s.channels * s.rows * s.cols, 1, integers),
        .weights = case_thirds(s.filters * conv_terms(&s), 2, integers),
        .bias = c->bias ? case_thirds(s.filters, 3, integers) : NULL,
        .exact = integers,
    };
}

static void free_problem(struct problem *p)
{
    free(p->image);
    free(p->weights);
    free(p->bias);
    free(p->residual);
}

/* Returns the epilogue of image n. */
static struct conv_finish finish_of(const struct problem *p, int64_t n)
{
    const struct conv_shape *s = &p->shape;
    const int64_t elements = s->out_rows * s->out_cols;
    const float *residual = p->residual ? p->residual + n * s->filters * elements : NULL;
    return (struct conv_finish){
        {residual, s->out_cols, 0, s->out_rows, elements}, p->clamped, 0, 6};
}

/* ---- running and verifying ------------------------------------------------------------------- */

/* The layout of an image's planes: one after the other, or row by row, where row r of all planes is
 * contiguous. */
enum layout { PLANE_BY_PLANE, ROW_BY_ROW };

/* Copies rows [first, first + count) of image n in that layout. */
static void copy_rows(const struct problem *p, enum layout layout, int64_t n, int64_t first,
                      int64_t count, float *to)
{
    const struct conv_shape *s = &p->shape;
    const int64_t row_stride = layout == ROW_BY_ROW ? s->channels * s->cols : s->cols;
    const int64_t plane_stride = layout == ROW_BY_ROW ? s->cols : count * s->cols;
    for (int64_t c = 0; c < s->channels; c++)
        for (int64_t r = 0; r < count; r++)
            memcpy(to + c * plane_stride + r * row_stride,
                   p->image + ((n * s->channels + c) * s->rows + first + r) * s->cols,
                   (size_t)s->cols * sizeof(float));
}

/* Returns the rows of one image that a band needs, alone in a fenced buffer. */
static struct view fenced_band(const struct problem *p, enum layout layout, int64_t n, int64_t row,
                               int64_t rows)
{
    const struct conv_shape *s = &p->shape;
    int64_t first, count;
    const struct geometry g = {.rows = s->rows,
                               .cols = s->cols,
                               .kernel = s->kernel,
                               .stride = s->stride,
                               .padding = s->padding};
    geometry_rows_needed(&g, row, rows, &first, &count);
    float *room = fenced_room((size_t)(s->channels * count * s->cols));
    const int64_t row_stride = layout == ROW_BY_ROW ? s->channels * s->cols : s->cols;
    const int64_t plane_stride = layout == ROW_BY_ROW ? s->cols : count * s->cols;
    copy_rows(p, layout, n, first, count, room);
    return (struct view){room, row_stride, first, count, plane_stride};
}

/* Floats between two images of one call, so that no method treats them as contiguous. */
enum { GAP = 5 };

/* Returns the first image of a call for all images. They are in a fenced buffer, with NaNs between
 * them. */
static struct view fenced_images(const struct problem *p, enum layout layout)
{
    const struct conv_shape *s = &p->shape;
    const int64_t elements = s->channels * s->rows * s->cols, step = elements + GAP;
    const size_t floats = (size_t)(s->batch * step - GAP);
    struct view v = {.rows = s->rows};
    float *room = fenced_room(floats);
    memset(room, 0xff, floats * sizeof *room);
    for (int64_t n = 0; n < s->batch; n++)
        copy_rows(p, layout, n, 0, s->rows, room + n * step);
    v.data = room;
    v.row_stride = layout == ROW_BY_ROW ? s->channels * s->cols : s->cols;
    v.plane_stride = layout == ROW_BY_ROW ? s->cols : s->rows * s->cols;
    return v;
}

/* Runs the method over all images in bands of `band` rows, or over whole images in one call if the
 * method takes several. Returns false if a guard was touched. */
static bool run_bands(const struct problem *p, enum layout layout, const struct conv_method *m,
                      enum isa isa, const float *packed, int64_t band, float *map)
{
    const struct conv_shape *s = &p->shape;
    const int64_t image = s->filters * s->out_rows * s->out_cols;
    const int64_t row_stride = layout == ROW_BY_ROW ? s->filters * s->out_cols : s->out_cols;
    const int64_t plane_stride = layout == ROW_BY_ROW ? s->out_cols : s->out_rows * s->out_cols;
    const size_t count = m->scratch ? (m->scratch(s, band) + 3) / 4 : 0;
    const int64_t together = m->head.whole_planes && band >= s->out_rows ? s->batch : 1;
    const int64_t apart = s->channels * s->rows * s->cols + GAP;
    float *scratch = guarded_new(count);
    for (int64_t n = 0; n < s->batch; n += together)
        for (int64_t row = 0; row < s->out_rows; row += band) {
            const int64_t rows = row + band < s->out_rows ? band : s->out_rows - row;
            const struct conv_call call = {.shape = s,
                                           .weights = p->weights,
                                           .packed = packed,
                                           .bias = p->bias,
                                           .image = together > 1
                                                        ? fenced_images(p, layout)
                                                        : fenced_band(p, layout, n, row, rows),
                                           .map = {map + n * image, row_stride, 0, plane_stride},
                                           .row = row,
                                           .rows = rows,
                                           .finish = finish_of(p, n),
                                           .images = together,
                                           .image_strides = {apart, image, image}};
            m->run[isa](&call, scratch);
        }
    const bool intact = guarded_intact(scratch, count);
    guarded_free(scratch);
    return intact;
}

/* Output (n, f, y, x) of a map. */
static float output_at(const struct conv_shape *s, enum layout layout, const float *map, int64_t n,
                       int64_t f, int64_t y, int64_t x)
{
    const int64_t line = layout == ROW_BY_ROW ? (n * s->out_rows + y) * s->filters + f
                                              : (n * s->filters + f) * s->out_rows + y;
    return map[line * s->out_cols + x];
}

/* Returns what the method's output must be: within the bound of a sum or, if the method has its own
 * bound, within the larger of both. */
static struct expectation expected(const struct problem *p, const struct conv_method *m,
                                   const struct conv_operands *o, int64_t f, int64_t y, int64_t x)
{
    struct expectation e = oracle_conv(o, f, y, x);
    if (m->head.rounds)
        e.bound = fmax(e.bound, m->bound(o, f, y, x));
    else if (p->exact)
        e.bound = 0.0;
    return e;
}

/* Returns how many outputs the oracle does not accept. */
static int64_t count_wrong(const struct problem *p, enum layout layout, const struct conv_method *m,
                           const float *map)
{
    const struct conv_shape *s = &p->shape;
    int64_t wrong = 0;
    for (int64_t n = 0; n < s->batch; n++) {
        const int64_t elements = s->rows * s->cols;
        const struct conv_operands o = {
            .shape = s,
            .image = {p->image + n * s->channels * elements, s->cols, 0, s->rows, elements},
            .weights = p->weights,
            .bias = p->bias,
            .finish = finish_of(p, n)};
        for (int64_t f = 0; f < s->filters; f++)
            for (int64_t y = 0; y < s->out_rows; y++)
                for (int64_t x = 0; x < s->out_cols; x++)
                    wrong += !oracle_accepts(expected(p, m, &o, f, y, x),
                                             output_at(s, layout, map, n, f, y, x));
    }
    return wrong;
}

/* Returns the weights, packed as the method needs them for that layout, between guards. *floats is
 * 0 if the method needs no packed weights. */
static float *packed_for(const struct problem *p, enum layout layout, const struct conv_method *m,
                         enum isa isa, size_t *floats)
{
    const struct conv_shape *s = &p->shape;
    const bool lines = layout == ROW_BY_ROW && m->packed_lines;
    *floats = lines ? m->packed_lines(s) : m->packed ? m->packed(s) : 0;
    float *packed = guarded_new(*floats);
    if (*floats > 0)
        (lines ? m->pack_lines : m->pack)[isa](s, p->weights, packed);
    return packed;
}

/* Returns how many outputs of the problem are wrong, or 1 if a guard was touched. */
static int64_t failures(const struct problem *p, enum layout layout, const struct conv_method *m,
                        enum isa isa, int64_t band)
{
    const struct conv_shape *s = &p->shape;
    const size_t outputs = (size_t)(s->batch * s->filters * s->out_rows * s->out_cols);
    size_t floats;
    float *packed = packed_for(p, layout, m, isa, &floats), *map = guarded_new(outputs);
    /* planes that need no packed weights get the weights themselves, as in networks */
    const float *raw = layout == PLANE_BY_PLANE ? p->weights : NULL;
    const bool kept = run_bands(p, layout, m, isa, floats > 0 ? packed : raw, band, map) &&
                      guarded_intact(map, outputs) && guarded_intact(packed, floats);
    const int64_t wrong = kept ? count_wrong(p, layout, m, map) : 1;
    guarded_free(packed);
    guarded_free(map);
    return wrong;
}

static const int64_t bands[] = {INT64_C(1) << 40, 1, 3};

static int64_t failures_of_case(const struct conv_case *c, const struct conv_method *m,
                                enum isa isa, bool show)
{
    int64_t wrong = 0;
    for (int integers = 0; integers < 2; integers++) {
        struct problem p = make_problem(c, integers != 0);
        for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
            const int64_t band = bands[i] < p.shape.out_rows ? bands[i] : p.shape.out_rows;
            const int64_t here =
                failures(&p, PLANE_BY_PLANE, m, isa, band) + failures(&p, ROW_BY_ROW, m, isa, band);
            if (here && show)
                print_error("%s: %s in bands of %d rows, %s: %d wrong\n", m->head.name, c->name,
                            (int)band, integers ? "integers" : "thirds", (int)here);
            wrong += here;
        }
        free_problem(&p);
    }
    return wrong;
}

static int64_t failures_of_method(const struct conv_method *m, enum isa isa, bool show)
{
    int64_t wrong = 0, compared = 0;
    for (size_t i = 0; i < conv_case_count; i++) {
        const struct conv_shape s = case_conv_shape(&conv_cases[i]);
        if (!conv_method_can(m, &s))
            continue;
        wrong += failures_of_case(&conv_cases[i], m, isa, show);
        compared++;
    }
    assert_true(compared > 0);
    return wrong;
}

/* ---- epilogues ------------------------------------------------------------------------------- */

/* The problem with a residual, a clamp, or both. */
static struct problem make_finished(const struct conv_case *c, bool integers, int how)
{
    struct problem p = make_problem(c, integers);
    const struct conv_shape *s = &p.shape;
    p.clamped = (how & 1) != 0;
    if (how & 2)
        p.residual = case_thirds(s->batch * s->filters * s->out_rows * s->out_cols, 5, integers);
    return p;
}

/* Returns how many outputs are wrong, over all cases, if the method applies epilogues as it
 * stores. */
static int64_t failures_of_finishes(const struct conv_method *m, enum isa isa)
{
    int64_t wrong = 0, compared = 0;
    for (size_t i = 0; i < conv_case_count; i++)
        for (int how = 1; how < 4; how++) {
            const struct conv_shape s = case_conv_shape(&conv_cases[i]);
            if (!conv_method_can(m, &s))
                continue;
            struct problem p = make_finished(&conv_cases[i], how == 3, how);
            wrong += failures(&p, how == 2 ? ROW_BY_ROW : PLANE_BY_PLANE, m, isa,
                              s.out_rows < 3 || s.batch > 3 ? s.out_rows : 3);
            free_problem(&p);
            compared++;
        }
    assert_true(compared > 0);
    return wrong;
}

TEST(epilogues_ride_on_every_store)
{
    for (size_t i = 0; i < conv_method_count; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
            if (!isa_missing(isa) && conv_methods[i].run[isa] &&
                failures_of_finishes(&conv_methods[i], isa) != 0)
                fail_msg("%s in %s", conv_methods[i].head.name, isa_name(isa));
}

/* A pass over stored sums applies the same epilogue, and scales. Returns how many outputs are
 * wrong. `lost`: the pass leaves out a row. */
static int64_t failures_of_pass(const struct conv_case *c, conv_pass_function *pass, bool lost)
{
    struct problem p = make_finished(c, true, 3);
    const struct conv_shape *s = &p.shape;
    const int64_t elements = s->rows * s->cols, outputs = s->out_rows * s->out_cols;
    float *map = guarded_new((size_t)(s->filters * outputs)),
          *scale = case_thirds(s->filters, 7, true);
    struct conv_call call = {.shape = s,
                             .weights = p.weights,
                             .image = {p.image, s->cols, 0, s->rows, elements},
                             .map = {map, s->out_cols, 0, outputs},
                             .rows = s->out_rows};
    conv_literal(&call, NULL);
    call.bias = p.bias;
    call.finish = finish_of(&p, 0);
    call.rows -= lost;
    pass(&call, scale);
    const struct conv_operands o = {.shape = s,
                                    .image = call.image,
                                    .weights = p.weights,
                                    .bias = p.bias,
                                    .scale = scale,
                                    .finish = call.finish};
    int64_t wrong = !guarded_intact(map, (size_t)(s->filters * outputs));
    for (int64_t i = 0; i < s->filters * outputs; i++) {
        const int64_t y = i % outputs / s->out_cols, x = i % s->out_cols;
        const double value = oracle_conv(&o, i / outputs, y, x).value;
        wrong += (double)map[i] != value;
    }
    guarded_free(map);
    free(scale);
    free_problem(&p);
    return wrong;
}

TEST(a_pass_finishes_what_was_stored)
{
    static conv_pass_function *const passes[ISA_COUNT] = ISA_VARIANTS(conv_pass);
    int64_t seen = 0;
    for (size_t i = 0; i < conv_case_count; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
            if (!isa_missing(isa) && passes[isa]) {
                assert_int_equal(failures_of_pass(&conv_cases[i], passes[isa], false), 0);
                seen += failures_of_pass(&conv_cases[i], passes[isa], true);
            }
    assert_true(seen > 0); /* a row that it leaves out */
}

TEST(every_method_is_right)
{
    for (size_t i = 0; i < conv_method_count; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
            if (!isa_missing(isa) && conv_methods[i].run[isa] &&
                failures_of_method(&conv_methods[i], isa, true) != 0)
                fail_msg("%s in %s", conv_methods[i].head.name, isa_name(isa));
}

/* Calls the method without rows of the first image. Returns false if it stored anything. */
static bool stores_nothing(const struct conv_case *c, const struct conv_method *m, enum isa isa,
                           enum layout layout)
{
    struct problem p = make_problem(c, true);
    const struct conv_shape *s = &p.shape;
    const size_t outputs = (size_t)(s->filters * s->out_rows * s->out_cols);
    const size_t count = m->scratch ? (m->scratch(s, s->out_rows) + 3) / 4 : 0;
    size_t floats, changed = 0;
    float *packed = packed_for(&p, layout, m, isa, &floats), *scratch = guarded_new(count);
    float *map = guarded_new(outputs);
    for (size_t i = 0; i < outputs; i++)
        map[i] = 42.0f;
    const struct conv_call call = {
        .shape = s,
        .weights = p.weights,
        .packed = floats > 0 ? packed : NULL,
        .bias = p.bias,
        .image = fenced_images(&p, layout),
        .map = {map, layout == ROW_BY_ROW ? s->filters * s->out_cols : s->out_cols, 0,
                layout == ROW_BY_ROW ? s->out_cols : s->out_rows * s->out_cols},
        .finish = finish_of(&p, 0),
        .images = 1};
    m->run[isa](&call, scratch);
    for (size_t i = 0; i < outputs; i++)
        changed += map[i] != 42.0f;
    const bool intact = guarded_intact(map, outputs) && guarded_intact(scratch, count);
    guarded_free(packed);
    guarded_free(scratch);
    guarded_free(map);
    free_problem(&p);
    return intact && changed == 0;
}

/* The bands of a depthwise call without rows are none. */
TEST(no_rows_store_nothing)
{
    const struct conv_method *m = &conv_methods[CONV_DEPTHWISE];
    for (size_t i = 0; i < conv_case_count; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
            const struct conv_shape s = case_conv_shape(&conv_cases[i]);
            if (isa_missing(isa) || !m->run[isa] || !conv_method_can(m, &s))
                continue;
            for (enum layout layout = PLANE_BY_PLANE; layout <= ROW_BY_ROW; layout++)
                if (!stores_nothing(&conv_cases[i], m, isa, layout))
                    fail_msg("%s in %s", conv_cases[i].name, isa_name(isa));
        }
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* Returns the outputs of one way to compute them, plane by plane. */
static float *outputs_by(const struct problem *p, enum layout layout, const struct conv_method *m,
                         enum isa isa, int64_t band)
{
    const struct conv_shape *s = &p->shape;
    const size_t outputs = (size_t)(s->batch * s->filters * s->out_rows * s->out_cols);
    size_t floats;
    float *packed = packed_for(p, layout, m, isa, &floats), *map = guarded_new(outputs);
    float *ordered = malloc(outputs * sizeof *ordered), *next = ordered;
    assert_true(run_bands(p, layout, m, isa, floats > 0 ? packed : NULL, band, map));
    for (int64_t plane = 0; plane < s->batch * s->filters; plane++)
        for (int64_t y = 0; y < s->out_rows; y++)
            for (int64_t x = 0; x < s->out_cols; x++)
                *next++ = output_at(s, layout, map, plane / s->filters, plane % s->filters, y, x);
    guarded_free(packed);
    guarded_free(map);
    return ordered;
}

/* Returns how many ways to compute a case (layouts of its planes, rows of a call) give outputs that
 * differ in any bit from those of one call. A call has whole rows of tiles. */
static int64_t other_bits(const struct conv_case *c, const struct conv_method *m, enum isa isa)
{
    struct problem p = make_problem(c, false);
    const struct conv_shape *s = &p.shape;
    const size_t bytes =
        (size_t)(s->batch * s->filters * s->out_rows * s->out_cols) * sizeof(float);
    float *whole = outputs_by(&p, PLANE_BY_PLANE, m, isa, s->out_rows);
    int64_t other = 0;
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++)
        for (enum layout layout = PLANE_BY_PLANE; layout <= ROW_BY_ROW; layout++) {
            const int64_t tile = conv_tile_rows(m);
            const int64_t rows = (bands[i] + tile - 1) / tile * tile;
            const int64_t band = rows < s->out_rows ? rows : s->out_rows;
            float *outputs = outputs_by(&p, layout, m, isa, band);
            other += memcmp(outputs, whole, bytes) != 0;
            free(outputs);
        }
    free(whole);
    free_problem(&p);
    return other;
}

/* The outputs in the lanes of a vector depend on layout and rows of a call; the order of sums must
 * not. */
TEST(bits_are_those_of_any_layout_and_band)
{
    static const int methods[] = {CONV_IMPLICIT, CONV_DEPTHWISE, CONV_WINOGRAD, CONV_WINOGRAD4};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (size_t i = 0; i < conv_case_count; i++)
            for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++) {
                const struct conv_method *m = &conv_methods[methods[k]];
                const struct conv_shape s = case_conv_shape(&conv_cases[i]);
                if (!isa_missing(isa) && m->run[isa] && conv_method_can(m, &s) &&
                    other_bits(&conv_cases[i], m, isa) != 0)
                    fail_msg("%s: %s in %s", m->head.name, conv_cases[i].name, isa_name(isa));
            }
}

/* ---- known answers --------------------------------------------------------------------------- */

/* Reads a .npy file of <f4 or <f8 in C order as doubles: `count` of them, the last bytes of the
 * file. */
static double *read_npy(const char *name, const char *part, int64_t count, bool wide)
{
    char path[256];
    const size_t bytes = wide ? 8 : 4;
    snprintf(path, sizeof path, MAXPOOL_SOURCE_DIR "/tests/cases/conv/%s.%s.npy", name, part);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    double *out = malloc((size_t)count * sizeof *out);
    assert_int_equal(fseek(file, -(long)(bytes * (size_t)count), SEEK_END), 0);
    for (int64_t i = 0; i < count; i++) {
        float narrow;
        assert_int_equal(fread(wide ? (void *)&out[i] : (void *)&narrow, bytes, 1, file), 1);
        if (!wide)
            out[i] = (double)narrow;
    }
    fclose(file);
    return out;
}

static float *read_floats(const char *name, const char *part, int64_t count)
{
    double *wide = read_npy(name, part, count, false);
    float *out = malloc((size_t)count * sizeof *out);
    for (int64_t i = 0; i < count; i++)
        out[i] = (float)wide[i];
    free(wide);
    return out;
}

/* The oracle must give the file's outputs: exactly, or to some units in the last place of a
 * double. */
static void check_oracle(const struct problem *p, const double *known)
{
    const struct conv_shape *s = &p->shape;
    const int64_t elements = s->rows * s->cols;
    for (int64_t n = 0; n < s->batch; n++) {
        const struct conv_operands o = {
            .shape = s,
            .image = {p->image + n * s->channels * elements, s->cols, 0, s->rows, elements},
            .weights = p->weights,
            .bias = p->bias};
        for (int64_t f = 0; f < s->filters; f++)
            for (int64_t y = 0; y < s->out_rows; y++)
                for (int64_t x = 0; x < s->out_cols; x++, known++) {
                    const struct expectation e = oracle_conv(&o, f, y, x);
                    assert_true(fabs(e.value - *known) <= (p->exact ? 0.0 : e.bound * 0x1p-24));
                }
    }
}

static void check_known(const struct conv_case *c, bool integers)
{
    const struct conv_shape s = case_conv_shape(c);
    const struct problem p = {.shape = s,
                              .image =
                                  read_floats(c->name, "x", s.batch * s.channels * s.rows * s.cols),
                              .weights = read_floats(c->name, "w", s.filters * conv_terms(&s)),
                              .bias = c->bias ? read_floats(c->name, "b", s.filters) : NULL,
                              .exact = integers};
    double *known =
        read_npy(c->name, "y", s.batch * s.filters * s.out_rows * s.out_cols, !integers);
    check_oracle(&p, known);
    for (size_t i = 0; i < conv_method_count; i++)
        for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
            if (!isa_missing(isa) && conv_methods[i].run[isa] &&
                conv_method_can(&conv_methods[i], &s))
                assert_int_equal(failures(&p, PLANE_BY_PLANE, &conv_methods[i], isa, s.out_rows),
                                 0);
    struct problem owned = p;
    free_problem(&owned);
    free(known);
}

TEST(known_answers_are_met)
{
    char line[256], name[64], kind[16];
    int seen = 0;
    FILE *list = fopen(MAXPOOL_SOURCE_DIR "/tests/cases/conv/cases.tsv", "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list)) {
        struct conv_case c = {.name = name};
        int bias;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line,
                                "%63s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
                                " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %d %15s",
                                name, &c.batch, &c.channels, &c.rows, &c.cols, &c.filters,
                                &c.kernel, &c.stride, &c.padding, &c.groups, &bias, kind),
                         12);
        c.bias = bias != 0;
        check_known(&c, strcmp(kind, "integers") == 0);
        seen++;
    }
    fclose(list);
    assert_int_equal(seen, 6);
}

/* With one weight in the middle, and small elements between large ones, sums of transformed tiles
 * cancel, and their error depends on the large elements. The bound must hold here, and must not be
 * so wide that a weight that is off by a thousandth passes. */
static void check_cancelling(const struct conv_method *m)
{
    enum { EDGE = 8 };
    const struct conv_case c = {"", 1, 1, EDGE, EDGE, 1, 3, 1, 0, 1, false};
    const struct conv_shape s = case_conv_shape(&c);
    float image[EDGE * EDGE], weights[9] = {0}, map[EDGE * EDGE], packed[4096];
    for (int i = 0; i < EDGE * EDGE; i++)
        image[i] = (float)(i % 3 == 0 ? 1.0 / (3.0 + i) : 1e4 / (7.0 + i));
    weights[4] = 1.0f / 3.0f;
    void *scratch = malloc(m->scratch(&s, s.out_rows));
    const struct conv_call call = {.shape = &s,
                                   .weights = weights,
                                   .packed = packed,
                                   .image = {image, EDGE, 0, EDGE, EDGE * EDGE},
                                   .map = {map, s.out_cols, 0, s.out_rows * s.out_cols},
                                   .rows = s.out_rows};
    const struct conv_operands o = {.shape = &s, .image = call.image, .weights = weights};
    assert_true(m->packed(&s) <= sizeof packed / sizeof *packed);
    m->pack[ISA_BASELINE](&s, weights, packed);
    m->run[ISA_BASELINE](&call, scratch);
    int64_t beyond_the_direct = 0, seen = 0;
    for (int64_t y = 0; y < s.out_rows; y++)
        for (int64_t x = 0; x < s.out_cols; x++) {
            const struct expectation e = oracle_conv(&o, 0, y, x);
            const double bound = m->bound(&o, 0, y, x);
            const double error = fabs((double)map[y * s.out_cols + x] - e.value);
            assert_true(error <= bound);
            beyond_the_direct += error > e.bound;
            seen += 1e-3 * fabs(e.value) > bound;
        }
    assert_true(beyond_the_direct > 0 && seen > 0);
    free(scratch);
}

TEST(winograd_keeps_to_its_own_bound)
{
    check_cancelling(&conv_methods[CONV_WINOGRAD]);
    check_cancelling(&conv_methods[CONV_WINOGRAD4]);
}

/* ---- digits ---------------------------------------------------------------------------------- */

/* Normal values; normal values with negative ones set to 0; uniform values in 0 .. 1. */
enum data { SIGNED, RECTIFIED, POSITIVE, DATA };

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*state >> 12) + 0.5) * 0x1p-52;
}

static double drawn(uint64_t *state, enum data data)
{
    const double x = uniform(state), y = uniform(state);
    const double normal = sqrt(-2.0 * log(x)) * cos(6.283185307179586 * y);
    return data == POSITIVE ? x : data == RECTIFIED ? fmax(0.0, normal) : normal;
}

static struct problem drawn_problem(const struct conv_case *c, enum data data)
{
    struct problem p = make_problem(c, false);
    const struct conv_shape *s = &p.shape;
    uint64_t state = 35;
    for (int64_t i = 0; i < s->channels * s->rows * s->cols; i++)
        p.image[i] = (float)drawn(&state, data);
    for (int64_t i = 0; i < s->filters * conv_terms(s); i++)
        p.weights[i] = (float)drawn(&state, data == POSITIVE ? POSITIVE : SIGNED);
    return p;
}

/* Returns the root mean square of the method's errors, divided by that of the outputs. */
static double error_of(const struct problem *p, const struct conv_method *m, enum isa isa)
{
    const struct conv_shape *s = &p->shape;
    const int64_t outputs = s->filters * s->out_rows * s->out_cols;
    const size_t floats = m->packed ? m->packed(s) : 0;
    float *packed = guarded_new(floats), *map = guarded_new((size_t)outputs);
    double errors = 0.0, values = 0.0;
    if (floats > 0)
        m->pack[isa](s, p->weights, packed);
    assert_true(run_bands(p, PLANE_BY_PLANE, m, isa, packed, s->out_rows, map));
    const struct conv_operands o = {.shape = s,
                                    .image = {p->image, s->cols, 0, s->rows, s->rows * s->cols},
                                    .weights = p->weights};
    for (int64_t i = 0; i < outputs; i++) {
        const int64_t f = i / (s->out_rows * s->out_cols), y = i / s->out_cols % s->out_rows;
        const struct expectation e = oracle_conv(&o, f, y, i % s->out_cols);
        errors += (map[i] - e.value) * (map[i] - e.value);
        values += e.value * e.value;
    }
    guarded_free(packed);
    guarded_free(map);
    return sqrt(errors / values);
}

/* Root mean square errors relative to those of a sum term by term: with 64 channels, 1.3 times as
 * large if signs are mixed, a quarter if they are not, and 1.1 over all three kinds of data; with
 * 128 channels and more no larger, 0.8 to 0.5 times over all three. Without fused multiply-adds 1.5
 * and 1.4 with 64 channels. The points 0, +-1, +-2 have twice these errors. Networks choose
 * winograd4 from 64 channels on. */
TEST(winograd4_is_about_as_good_as_a_sum_one_by_one)
{
    for (int64_t channels = 64; channels <= 512; channels *= 2) {
        const struct conv_case c = {"", 1, channels, 14, 14, 8, 3, 1, 1, 1, false};
        double ours = 0.0, one_by_one = 0.0;
        for (enum data data = SIGNED; data < DATA; data++) {
            struct problem p = drawn_problem(&c, data);
            const double error = error_of(&p, &conv_methods[CONV_WINOGRAD4], isa_best());
            const double sum = error_of(&p, &conv_methods[CONV_IMPLICIT], isa_best());
            assert_true(error > 0.0 && error <= 1.65 * sum);
            ours += error * error;
            one_by_one += sum * sum;
            free_problem(&p);
        }
        assert_true(ours <= (channels == 64 ? 1.5 : 1.0) * one_by_one);
    }
}

/* ---- seeded faults --------------------------------------------------------------------------- */

static void lose_the_last_row(const struct conv_call *call, void *scratch)
{
    struct conv_call cut = *call;
    cut.rows -= call->rows > 1;
    conv_literal(&cut, scratch);
}

static void lose_the_bias(const struct conv_call *call, void *scratch)
{
    struct conv_call cut = *call;
    cut.bias = NULL;
    conv_literal(&cut, scratch);
}

/* Rotates the filters by 180 degrees, as mathematics defines convolution. */
static void turned_filters(const struct conv_call *call, void *scratch)
{
    struct conv_call turned = *call;
    const int64_t window = call->shape->kernel * call->shape->kernel;
    const int64_t count = call->shape->filters * conv_terms(call->shape);
    float *weights = malloc((size_t)count * sizeof *weights);
    for (int64_t i = 0; i < count; i++)
        weights[i] = call->weights[i / window * window + window - 1 - i % window];
    turned.weights = weights;
    conv_literal(&turned, scratch);
    free(weights);
}

/* Lets every group read the channels of the last one. */
static void wrong_group(const struct conv_call *call, void *scratch)
{
    struct conv_call moved = *call;
    struct conv_shape shape = *call->shape;
    const int64_t depth = shape.channels / shape.groups, filters = shape.filters / shape.groups;
    moved.shape = &shape;
    moved.image.data += (shape.channels - depth) * call->image.plane_stride;
    shape.channels = depth;
    shape.filters = filters;
    shape.groups = 1;
    for (int64_t g = 0; g < call->shape->groups; g++) {
        conv_literal(&moved, scratch);
        moved.weights += filters * conv_terms(&shape);
        moved.bias = moved.bias ? moved.bias + filters : NULL;
        moved.map.data += filters * call->map.plane_stride;
    }
}

static void one_output_twice(const struct conv_call *call, void *scratch)
{
    conv_literal(call, scratch);
    float *row = map_row(&call->map, call->row);
    if (call->shape->out_cols > 1)
        row[1] = row[0];
}

/* Faults of epilogues: no residual, no clamp, or the residual added after the clamp. */
static void no_residual(const struct conv_call *call, void *scratch)
{
    struct conv_call cut = *call;
    cut.finish.residual.data = NULL;
    conv_literal(&cut, scratch);
}

static void no_clamp(const struct conv_call *call, void *scratch)
{
    struct conv_call cut = *call;
    cut.finish.clamped = false;
    conv_literal(&cut, scratch);
}

static void residual_behind_the_clamp(const struct conv_call *call, void *scratch)
{
    const struct view *r = &call->finish.residual;
    no_residual(call, scratch);
    for (int64_t f = 0; r->data && f < call->shape->filters; f++)
        for (int64_t y = call->row; y < call->row + call->rows; y++)
            for (int64_t x = 0; x < call->shape->out_cols; x++)
                map_row(&call->map, y)[f * call->map.plane_stride + x] +=
                    view_row(r, y)[f * r->plane_stride + x];
}

TEST(seeded_faults_of_epilogues_are_caught)
{
    conv_function *const faults[] = {no_residual, no_clamp, residual_behind_the_clamp};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct conv_method m = {.head = {.name = "fault"}, .run = {faults[i]}};
        if (failures_of_finishes(&m, ISA_BASELINE) == 0)
            fail_msg("fault %zu was not caught", i);
    }
}

/* Faults in every method: its call is changed, or outputs at an edge of what it stored are
 * changed. */
static const struct conv_method *victim;
static enum isa victim_isa;

static void run_victim(const struct conv_call *call, void *scratch)
{
    victim->run[victim_isa](call, scratch);
}

static void last_row_lost(const struct conv_call *call, void *scratch)
{
    struct conv_call cut = *call;
    cut.rows -= call->rows > 1;
    run_victim(&cut, scratch);
}

static void bias_lost(const struct conv_call *call, void *scratch)
{
    struct conv_call cut = *call;
    cut.bias = NULL;
    run_victim(&cut, scratch);
}

/* Returns output (row, col) of filter f in the call. Negative numbers count from the end. */
static float *output_of(const struct conv_call *call, int64_t f, int64_t row, int64_t col)
{
    const int64_t y = row < 0 ? call->rows + row : row;
    const int64_t x = col < 0 ? call->shape->out_cols + col : col;
    return map_row(&call->map, call->row + y) + f * call->map.plane_stride + x;
}

static void first_element_off(const struct conv_call *call, void *scratch)
{
    run_victim(call, scratch);
    *output_of(call, 0, 0, 0) += 1.0f;
}

static void last_element_off(const struct conv_call *call, void *scratch)
{
    run_victim(call, scratch);
    *output_of(call, call->shape->filters - 1, -1, -1) += 1.0f;
}

static void last_column_not_stored(const struct conv_call *call, void *scratch)
{
    float kept[256];
    for (int64_t y = 0; y < call->rows; y++)
        kept[y] = *output_of(call, 0, y, -1);
    run_victim(call, scratch);
    for (int64_t y = 0; y < call->rows; y++)
        *output_of(call, 0, y, -1) = kept[y];
}

static void last_filter_twice(const struct conv_call *call, void *scratch)
{
    const int64_t last = call->shape->filters - 1;
    run_victim(call, scratch);
    for (int64_t y = 0; y < call->rows; y++)
        for (int64_t x = 0; x < call->shape->out_cols; x++)
            *output_of(call, last, y, x) = *output_of(call, 0, y, x);
}

/* Returns how many outputs are wrong if the victim runs a fault instead of its function. */
static int64_t failures_of_fault(conv_function *fault, const struct conv_case *c)
{
    struct conv_method m = *victim;
    for (enum isa isa = ISA_BASELINE; isa < ISA_COUNT; isa++)
        m.run[isa] = fault;
    struct problem p = make_problem(c, true);
    const int64_t wrong = failures(&p, PLANE_BY_PLANE, &m, victim_isa, p.shape.out_rows);
    free_problem(&p);
    return wrong;
}

TEST(faults_in_every_method_and_edge_are_caught)
{
    conv_function *const faults[] = {last_row_lost,          bias_lost,
                                     first_element_off,      last_element_off,
                                     last_column_not_stored, last_filter_twice};
    for (size_t i = 0; i < conv_method_count; i++) {
        victim = &conv_methods[i];
        victim_isa = conv_method_isa(victim, isa_best());
        if (!victim->run[victim_isa])
            continue;
        const struct conv_case *c = conv_case_of("prime_channels");
        const struct conv_shape s = case_conv_shape(c);
        if (!conv_method_can(victim, &s))
            c = conv_case_of("depthwise");
        assert_int_equal(failures_of_fault(run_victim, c), 0);
        for (size_t j = 0; j < sizeof faults / sizeof *faults; j++)
            if (failures_of_fault(faults[j], c) == 0)
                fail_msg("fault %zu of %s was not caught", j, victim->head.name);
    }
}

/* In each of the named edge cases, an element that is off at either end of the map must be seen,
 * for every method that can compute the case. */
TEST(faults_at_the_edges_are_caught)
{
    static const char *const names[] = {
        "one_pixel",        "kernel_is_image",       "groups",         "padding_wider_than_kernel",
        "stride_gt_kernel", "one_channel",           "prime_channels", "last_tile_of_one",
        "batch_of_one",     "more_workers_than_rows"};
    int64_t seen = 0;
    for (size_t i = 0; i < conv_method_count; i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            const struct conv_case *c = conv_case_of(names[j]);
            const struct conv_shape s = case_conv_shape(c);
            victim = &conv_methods[i];
            victim_isa = conv_method_isa(victim, isa_best());
            if (!conv_method_can(victim, &s))
                continue;
            assert_int_equal(failures_of_fault(run_victim, c), 0);
            if (failures_of_fault(first_element_off, c) == 0 ||
                failures_of_fault(last_element_off, c) == 0)
                fail_msg("a fault of %s in %s was not caught", victim->head.name, names[j]);
            seen++;
        }
    assert_true(seen >= 30);
}

TEST(seeded_faults_are_caught)
{
    conv_function *const faults[] = {lose_the_last_row, lose_the_bias, turned_filters, wrong_group,
                                     one_output_twice};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct conv_method m = {.head = {.name = "fault"}, .run = {faults[i]}};
        if (failures_of_method(&m, ISA_BASELINE, false) == 0)
            fail_msg("fault %zu was not caught", i);
    }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

TEST(bad_shapes_are_refused)
{
    const struct {
        struct conv_shape shape;
        enum conv_status status;
    } bad[] = {
        {{1, 4, 8, 8, 6, 4, 3, 1, 1, 0, 0}, CONV_BAD_GROUPS},
        {{1, 6, 8, 8, 4, 3, 3, 1, 1, 0, 0}, CONV_BAD_GROUPS},
        {{1, 4, 2, 8, 4, 1, 3, 1, 0, 0, 0}, CONV_NO_FIT},
        {{0, 4, 8, 8, 4, 1, 3, 1, 0, 0, 0}, CONV_BAD_SIZE},
        {{1, 4, 8, 8, 4, 1, 3, 0, 0, 0, 0}, CONV_BAD_SIZE},
        {{1, 4, 8, 8, 4, 1, 3, 1, -1, 0, 0}, CONV_BAD_SIZE},
        {{1, INT64_C(1) << 40, 1 << 20, 8, 4, 1, 3, 1, 1, 0, 0}, CONV_OVERFLOW},
        {{1, 1, 8, 8, INT64_C(1) << 60, 1, 3, 1, 1, 0, 0}, CONV_OVERFLOW},
        {{1, 1, 8, 8, 1, 1, 3, 1, INT64_MAX / 2, 0, 0}, CONV_OVERFLOW},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct conv_shape s = bad[i].shape;
        assert_int_equal(conv_complete(&s), bad[i].status);
        assert_int_equal(s.out_rows, 0);
    }
}

/* The scratch does not grow with the image: a band of elements and a tile of sums, at most half a
 * MiB. */
TEST(scratch_of_implicit_does_not_grow)
{
    static const struct conv_shape shapes[] = {{1, 64, 56, 56, 64, 1, 3, 1, 1, 0, 0},
                                               {1, 64, 4096, 4096, 64, 1, 3, 1, 1, 0, 0},
                                               {16, 64, 57, 40000, 640, 1, 3, 1, 1, 0, 0},
                                               {1, 512, 7, 7, 512, 1, 3, 1, 1, 0, 0},
                                               {1, 3, 224, 224, 64, 1, 7, 2, 3, 0, 0}};
    const size_t most = 512 << 10;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct conv_shape s = shapes[i];
        assert_int_equal(conv_complete(&s), CONV_OK);
        assert_in_range(conv_implicit_scratch(&s, s.out_rows), 1, most);
        if (i < 3)
            assert_int_equal(conv_implicit_scratch(&s, s.out_rows),
                             conv_implicit_scratch(&shapes[0], 1));
    }
}

/* Two workers cannot share the 7 rows of 512 x 7 x 7 evenly, and each would read all weights, so
 * that filters are partitioned; even where rows divide evenly, into 7 or into tiles of 2 and 4
 * rows. Two images, and large maps, are divided. Channels of a depthwise convolution copy nothing
 * twice. */
TEST(filters_are_partitioned_where_that_costs_less)
{
    const struct conv_method *implicit = conv_method_find("implicit");
    const struct conv_shape deep = {.batch = 1,
                                    .channels = 512,
                                    .rows = 7,
                                    .cols = 7,
                                    .filters = 512,
                                    .groups = 1,
                                    .kernel = 3,
                                    .stride = 1,
                                    .padding = 1,
                                    .out_rows = 7,
                                    .out_cols = 7};
    struct conv_shape apart = deep, each = deep, narrow = deep;
    narrow.kernel = 1;
    narrow.padding = 0;
    narrow.filters = 160; /* five micro-panels, ten vectors */
    apart.channels = 256;
    apart.rows = apart.cols = 14;
    apart.stride = 2;
    each.groups = 512;
    assert_true(conv_partitions_filters(implicit, &deep, 1, 7, 2));
    assert_false(conv_partitions_filters(implicit, &deep, 1, 7, 1));
    assert_true(conv_partitions_filters(implicit, &deep, 1, 7, 7));
    assert_false(conv_partitions_filters(implicit, &deep, 2, 7, 2));
    assert_true(conv_partitions_filters(implicit, &deep, 1, 7, 16));
    assert_true(conv_partitions_filters(implicit, &apart, 1, 7, 2));
    assert_true(conv_partitions_filters(&conv_methods[CONV_WINOGRAD], &deep, 1, 7, 2));
    assert_false(conv_partitions_filters(&conv_methods[CONV_WINOGRAD], &deep, 2, 7, 2));
    for (int64_t size = 14, channels = 256; size <= 56; size *= 2, channels /= 2) {
        const struct conv_shape s = {1, channels, size, size, channels, 1, 3, 1, 1, size, size};
        assert_int_equal(size == 14,
                         conv_partitions_filters(&conv_methods[CONV_WINOGRAD4], &s, 1, size, 2));
    }
    assert_true(conv_partitions_filters(conv_method_find("depthwise"), &each, 1, 7, 2));
    struct conv_shape two_apart = narrow;
    two_apart.rows = two_apart.cols = 14;
    two_apart.stride = 2;
    two_apart.filters = 512;
    assert_true(conv_partitions_filters(implicit, &two_apart, 1, 7, 2));
    two_apart.out_cols = 8; /* whole vectors of some sets: elements may be copied */
    two_apart.filters = 256;
    assert_false(conv_partitions_filters(implicit, &two_apart, 1, 7, 2));
    assert_false(conv_partitions_filters(implicit, &narrow, 1, 7, 2));
    assert_true(conv_partitions_own_filters(implicit, &narrow, 1, 7, 2));
}

/* Of a block that begins or ends within tiles, these are computed twice: once, shares of two
 * threads were cut into pieces of one row, and four rows computed for each. */
TEST(blocks_have_several_rows_of_tiles)
{
    for (size_t i = 0; i < conv_method_count; i++)
        assert_true(conv_methods[i].head.piece_rows >= 4 * conv_methods[i].tile_rows);
}
