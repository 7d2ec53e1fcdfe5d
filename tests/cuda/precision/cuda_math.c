/* Declared precisions (--math) on the emulation: what is rounded, and what the bounds allow. */
#include "cuda/cuda_space.h"
#include "cuda/emulation/emulation.h"
#include "kernels/precision/declared_math.h"
#include "tests/support/cases.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 5, INNER = 37, COLS = 21 };

static const struct device_options plain = {.block = 16, .streams = 1};
static const enum math maths[] = {MATH_TF32, MATH_BF16};

/* Half a unit in the last place of numbers from 1 to 2. */
static double half_unit(enum math math)
{
    return math == MATH_TF32 ? 0x1p-11 : 0x1p-8;
}

/* x to the nearest number of the format, computed without its bits. */
static float nearest(enum math math, float x)
{
    int exponent;
    const double fraction = frexp((double)x, &exponent); /* 1/2 to 1 */
    const double unit = math == MATH_TF32 ? 0x1p-11 : 0x1p-8, steps = fabs(fraction) / unit;
    const double whole =
        math == MATH_TF32 ? floor(steps + 0.5) : nearbyint(steps); /* ties: away, to even */
    return (float)copysign(ldexp(whole * unit, exponent), (double)x);
}

/* One product A B, of arrays that the caller owns. */
struct product {
    float a[ROWS * INNER], b[INNER * COLS], c[ROWS * COLS];
    struct operation op;
};

static void begin(struct product *p, enum math math)
{
    p->op = (struct operation){
        .kind = &matmul_operator,
        .parameters = {.filter_cols = COLS, .math = math},
        .image = {1, ROWS, INNER},
        .map = {1, ROWS, COLS},
        .operands[OPERAND_FILTER] = {.values = p->b, .shape = {1, INNER, COLS}, .max_abs = 1e4},
        .method = operator_method(&matmul_operator, SPACE_CUDA, "tensor")};
}

static enum status multiply(struct product *p, struct failure *f)
{
    struct resources resources = {0};
    struct phases phases;
    struct instance *in = NULL;
    int64_t first, count;
    struct source *source = case_source(p->op.image, p->a);
    const struct job job = {.operation = &p->op, .source = source, .device = plain};
    enum status status = cuda_space.open(&job, &in, &resources, f);
    if (status == STATUS_OK)
        status = cuda_space.execute(in, &phases, f);
    if (status == STATUS_OK)
        memcpy(p->c, cuda_space.map(in, &first, &count), sizeof p->c);
    cuda_space.close(in);
    source_close(source);
    return status;
}

/* Returns how many elements of C the bound refuses. */
static int refused(const struct product *p)
{
    struct expectation e[COLS];
    int wrong = 0;
    for (int row = 0; row < ROWS; row++) {
        const struct region held = {0, 1, row, 1, 0, INNER};
        const struct block outputs = {0, row, 1, 0, COLS, 1};
        p->op.kind->expect(&p->op, &held, p->a + row * INNER, &outputs, e);
        for (int col = 0; col < COLS; col++)
            wrong += !oracle_accepts(e[col], p->c[row * COLS + col]);
    }
    return wrong;
}

/* Sets C to the product of operands that are rounded by `by`, in double precision. */
static void set_product(struct product *p, enum math math, float (*by)(enum math, float))
{
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++) {
            double sum = 0.0;
            for (int q = 0; q < INNER; q++)
                sum += (double)by(math, p->a[row * INNER + q]) *
                       (double)by(math, p->b[q * COLS + col]);
            p->c[row * COLS + col] = (float)sum;
        }
}

static float cut_off(enum math math, float x)
{
    const float near = nearest(math, x);
    return fabsf(near) <= fabsf(x) ? near : near - copysignf((float)(2.0 * half_unit(math)), x);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Numbers that are not representable, of both signs and many sizes; also ties. */
static void fill(struct product *p, enum math math)
{
    const double half = half_unit(math);
    for (int i = 0; i < ROWS * INNER; i++)
        p->a[i] = (float)(sin(1.0 + i * i) * pow(2.0, i % 9));
    for (int i = 0; i < INNER * COLS; i++)
        p->b[i] = i % 3 ? (float)cos(2.0 + i) : (float)(1.0 + half * (i % 7));
}

TEST(operands_are_rounded_to_the_nearest)
{
    for (int m = 0; m < 2; m++) {
        struct product p;
        struct failure f = {0};
        float sums[ROWS * COLS];
        fill(&p, maths[m]);
        begin(&p, maths[m]);
        emulation_reset(&emulation_sound_machine, 7);
        assert_int_equal(multiply(&p, &f), STATUS_OK);
        assert_int_equal(refused(&p), 0);
        memcpy(sums, p.c, sizeof sums);
        set_product(&p, maths[m], nearest);
        for (int i = 0; i < ROWS * COLS; i++) /* float32 sums of the same products */
            assert_true(fabs((double)sums[i] - (double)p.c[i]) <= INNER * 0x1p-24 * 256.0 * INNER);
    }
}

/* Every operand is three quarters of the way from one number to the next: the nearest is a quarter
 * away, but the one towards 0 three quarters. */
TEST(operands_that_are_cut_off_are_wrong)
{
    for (int m = 0; m < 2; m++) {
        struct product p;
        const float between = (float)(1.0 + 1.5 * half_unit(maths[m]));
        struct failure f = {0};
        for (int i = 0; i < ROWS * INNER; i++)
            p.a[i] = between;
        for (int i = 0; i < INNER * COLS; i++)
            p.b[i] = between;
        begin(&p, maths[m]);
        emulation_reset(&emulation_sound_machine, 7);
        assert_int_equal(multiply(&p, &f), STATUS_OK);
        assert_int_equal(refused(&p), 0);
        set_product(&p, maths[m], nearest);
        assert_int_equal(refused(&p), 0);
        set_product(&p, maths[m], cut_off);
        assert_int_equal(refused(&p), ROWS * COLS);
    }
}

/* The bound is that of the declared precision: bf16 is wrong as tf32, and both are as float32. */
TEST(shorter_operands_are_wrong_as_longer_ones)
{
    struct product p;
    const float between = 1.0f + 0x1p-9f; /* a tie of bf16 is at 2^-8 */
    for (int i = 0; i < ROWS * INNER; i++)
        p.a[i] = between;
    for (int i = 0; i < INNER * COLS; i++)
        p.b[i] = between;
    begin(&p, MATH_BF16);
    set_product(&p, MATH_BF16, nearest);
    assert_int_equal(refused(&p), 0);
    p.op.parameters.math = MATH_TF32;
    assert_int_equal(refused(&p), ROWS * COLS);
    set_product(&p, MATH_TF32, nearest); /* representable */
    assert_int_equal(refused(&p), 0);
    for (int i = 0; i < ROWS * INNER; i++)
        p.a[i] = 1.0f + 0x1p-12f;
    set_product(&p, MATH_TF32, nearest);
    assert_int_equal(refused(&p), 0);
    p.op.parameters.math = MATH_FP32;
    assert_int_equal(refused(&p), ROWS * COLS);
}

/* No result is exact, not even of small integers or of the identity. */
TEST(no_result_is_exact)
{
    struct product p;
    for (int m = 0; m < 2; m++) {
        begin(&p, maths[m]);
        p.op.operands[OPERAND_FILTER].integers = true;
        p.op.operands[OPERAND_FILTER].max_abs = 1.0;
        assert_false(p.op.kind->is_exact(&p.op, true, 1.0));
        p.op.operands[OPERAND_FILTER].identity = true;
        assert_false(p.op.kind->is_exact(&p.op, true, 1.0));
        p.op.parameters.math = MATH_FP32;
        assert_true(p.op.kind->is_exact(&p.op, true, 1.0));
    }
}

/* With the identity, an element is itself but for its rounding. */
TEST(the_identity_returns_rounded_elements)
{
    struct product p;
    fill(&p, MATH_TF32);
    begin(&p, MATH_TF32);
    p.op.operands[OPERAND_FILTER].identity = true;
    const struct region held = {0, 1, 0, 1, 0, COLS};
    const struct block outputs = {0, 0, 1, 0, COLS, 1};
    struct expectation e[COLS];
    p.op.kind->expect(&p.op, &held, p.a, &outputs, e);
    for (int i = 0; i < COLS; i++) {
        assert_true(oracle_accepts(e[i], nearest(MATH_TF32, p.a[i])));
        assert_true(e[i].bound <= fabs((double)p.a[i]) * 0x1.01p-10);
        assert_false(oracle_accepts(e[i], p.a[i] * (1.0f + 0x1p-9f)));
    }
}

/* Operands that would round to infinity are refused before. */
TEST(operands_must_not_overflow)
{
    struct product p;
    begin(&p, MATH_BF16);
    p.op.operands[OPERAND_FILTER].max_abs = 3.39e38;
    assert_true(p.op.kind->largest(&p.op, 1e-30) > 3.4e38);
    p.op.parameters.math = MATH_FP32;
    assert_true(p.op.kind->largest(&p.op, 1e-30) < 3.4e38);
}

/* ---- convolution ----------------------------------------------------------------------------- */

enum { CHANNELS = 3, SIDE = 6, FILTERS = 4, KERNEL = 3 };

/* A convolution of one value in every element and every weight. */
struct constant {
    float image[CHANNELS * SIDE * SIDE], weights[FILTERS * CHANNELS * KERNEL * KERNEL];
    struct operation op;
};

static void begin_constant(struct constant *c, enum math math, float value)
{
    for (size_t i = 0; i < sizeof c->image / sizeof *c->image; i++)
        c->image[i] = value;
    for (size_t i = 0; i < sizeof c->weights / sizeof *c->weights; i++)
        c->weights[i] = value;
    c->op = (struct operation){.kind = &conv_operator,
                               .parameters = {.kernel = KERNEL,
                                              .stride = 1,
                                              .batch = 1,
                                              .channels = CHANNELS,
                                              .filters = FILTERS,
                                              .groups = 1,
                                              .math = math},
                               .image = {1, SIDE, CHANNELS * SIDE},
                               .method = operator_method(&conv_operator, SPACE_CUDA, "tensor")};
    assert_int_equal(c->op.kind->shape(&c->op).kind, REFUSAL_NONE);
    c->op.operands[OPERAND_WEIGHTS] = (struct operand){
        .values = c->weights, .shape = {FILTERS * CHANNELS, KERNEL, KERNEL}, .max_abs = 2.0};
}

/* True if the bound of the first output accepts the value. */
static bool first_accepts(const struct constant *c, double value)
{
    struct expectation e;
    const struct region held = {0, 1, 0, KERNEL, 0, CHANNELS * SIDE};
    const struct block outputs = {0, 0, 1, 0, 1, 1};
    c->op.kind->expect(&c->op, &held, c->image, &outputs, &e);
    return oracle_accepts(e, (float)value);
}

TEST(convolutions_have_the_bound_of_their_operands)
{
    enum { TERMS = CHANNELS * KERNEL * KERNEL };
    for (int m = 0; m < 2; m++) {
        struct constant c;
        const float between = (float)(1.0 + 1.5 * half_unit(maths[m]));
        const double near = (double)nearest(maths[m], between);
        const double cut = (double)cut_off(maths[m], between);
        begin_constant(&c, maths[m], between);
        assert_true(first_accepts(&c, TERMS * near * near));
        assert_false(first_accepts(&c, TERMS * cut * cut));
        assert_false(c.op.kind->is_exact(&c.op, true, 1.0));
        c.op.parameters.math = MATH_FP32;
        assert_false(first_accepts(&c, TERMS * near * near));
    }
}
