/* The statistical bound on rounding errors: it accepts sums of float, finds operands of fewer
 * digits, and leaves alone an operator with other sums. */
#include "classroom/lab/digits/digits.h"
#include "tests/support/unit_test.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 64, DIMENSIONS = 32 };

/* How a kernel computes: the mantissa bits of its operands, and whether it leaves out the root. */
struct kernel {
    int bits;
    bool squares;
};

static float rounded(float value, int bits)
{
    int exponent;
    const double mantissa = frexp((double)value, &exponent);
    return (float)ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}

static void compute(const struct kernel *k, const float *x, const float *y, float *map)
{
    for (int64_t i = 0; i < POINTS; i++)
        for (int64_t j = 0; j < POINTS; j++) {
            float sum = 0.0f;
            for (int64_t q = 0; q < DIMENSIONS; q++) {
                const float apart = rounded(x[i * DIMENSIONS + q], k->bits) -
                                    rounded(y[j * DIMENSIONS + q], k->bits);
                sum += apart * apart;
            }
            map[i * POINTS + j] = k->squares ? sum : sqrtf(sum);
        }
}

static struct lab_digits digits_of(const struct kernel *k)
{
    static float x[POINTS * DIMENSIONS], y[POINTS * DIMENSIONS], map[POINTS * POINTS];
    const struct lab_arrays arrays = {.address = {(char *)x, (char *)y, (char *)map}};
    const struct foreign_sizes size = {.rows = POINTS, .filters = POINTS, .cols = DIMENSIONS};
    const struct lab_order order = {.ask = LAB_CALL};
    struct failure f = {0};
    struct lab_input in;
    assert_int_equal(lab_input_open(&in, lab_kind_find("distances"), &size, 35, &f), STATUS_OK);
    srand(35);
    for (int64_t i = 0; i < POINTS * DIMENSIONS; i++) {
        x[i] = (float)(rand() % (1 << 24));
        y[i] = (float)(rand() % (1 << 24));
    }
    compute(k, x, y, map);
    const struct lab_digits digits = lab_digits_of(&in, &arrays, &order);
    lab_input_close(&in);
    return digits;
}

TEST(sums_of_float_are_accepted)
{
    const struct lab_digits d = digits_of(&(struct kernel){.bits = 24});
    assert_int_equal(d.outputs, POINTS);
    assert_true(d.error <= d.allowed);
}

TEST(fewer_digits_are_found)
{
    const struct lab_digits d = digits_of(&(struct kernel){.bits = 11});
    assert_int_equal(d.outputs, POINTS);
    assert_true(d.error > d.allowed);
}

TEST(other_sums_have_no_bound)
{
    assert_int_equal(digits_of(&(struct kernel){.bits = 24, .squares = true}).outputs, 0);
}
