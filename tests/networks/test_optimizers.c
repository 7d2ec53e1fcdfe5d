/* The oracles of parameter updates, compared with the published formulas in long double; and their
 * bounds, which refuse no right result of any instruction set and find an error of four bounds. */
#include "harness/base/digest.h"
#include "networks/optimizers/optimizer.h"
#include "tests/support/unit_test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Not a multiple of any vector's lanes. */
enum { COUNT = 61, SETS = 40 };

static struct {
    float parameters[COUNT], gradients[COUNT], moments[MOMENTS][COUNT];
} before, after;

static const double rate = 0.003;

/* ---- what is updated ------------------------------------------------------------------------- */

/* -1 <= number < 1. */
static double drawn(int64_t set, int64_t at)
{
    return (double)(digest_mix(digest_mix((uint64_t)set) + (uint64_t)at) >> 11) * 0x1p-52 - 1.0;
}

/* Gradients whose squares underflow, common ones, and large ones; the second moment is positive,
 * but no square of the first. */
static void draw(int64_t set)
{
    static const double sizes[] = {1e-30, 1e-6, 1.0, 1e12};
    const double size = sizes[set % 4];
    for (int i = 0; i < COUNT; i++) {
        before.parameters[i] = (float)drawn(set, 4 * i);
        before.gradients[i] = (float)(size * drawn(set, 4 * i + 1));
        before.moments[0][i] = (float)(size * drawn(set, 4 * i + 2));
        before.moments[1][i] = (float)(size * size * fabs(drawn(set, 4 * i + 3)));
    }
}

static struct update update_of(int64_t step)
{
    return (struct update){.parameters = after.parameters,
                           .gradients = after.gradients,
                           .moments = {after.moments[0], after.moments[1]},
                           .count = COUNT,
                           .rate = rate,
                           .step = step};
}

static void run(const struct optimizer *o, enum isa isa, int64_t step)
{
    struct update u = update_of(step);
    after = before;
    if (o->begin)
        o->begin(&u);
    o->run[isa](&u);
}

static struct update_after expected(const struct optimizer *o, int64_t step, int i)
{
    const struct update u = update_of(step);
    const struct update_before was = {
        before.parameters[i], before.gradients[i], {before.moments[0][i], before.moments[1][i]}};
    const float found[MOMENTS] = {after.moments[0][i], after.moments[1][i]};
    return o->expect(&u, &was, found);
}

/* ---- in long double -------------------------------------------------------------------------- */

struct own {
    double moments[MOMENTS], parameter;
    double moment_bounds[MOMENTS], parameter_bound;
};

/* n roundings in float32, u = 2^-24. */
static double gamma_of(double n)
{
    return n / (0x1p24 - n);
}

/* Kingma and Ba, algorithm 1; its last line uses the moments that were found. */
static struct own own_adam(int64_t step, int i)
{
    const long double b1 = ADAM_BETA1, b2 = ADAM_BETA2, g = before.gradients[i];
    const long double m = b1 * before.moments[0][i], v = b2 * before.moments[1][i];
    const long double first = after.moments[0][i] / (1.0L - powl(b1, step));
    const long double second = after.moments[1][i] / (1.0L - powl(b2, step));
    const long double spread = sqrtl(second) + ADAM_EPSILON, change = rate * first / spread;
    const double least = FLT_TRUE_MIN;
    struct own own = {.moments = {(double)(m + (1.0L - b1) * g), (double)(v + (1.0L - b2) * g * g)},
                      .parameter = (double)(before.parameters[i] - change)};
    own.moment_bounds[0] = gamma_of(5) * (double)(fabsl(m) + (1.0L - b1) * fabsl(g)) + 5 * least;
    own.moment_bounds[1] = gamma_of(5) * (double)(v + (1.0L - b2) * g * g) + 5 * least;
    own.parameter_bound = gamma_of(1) * fabs((double)before.parameters[i]) +
                          (gamma_of(1) + gamma_of(10)) * fabs((double)change) + 11 * least +
                          least / (double)spread;
    return own;
}

/* v = 0.9 v + g, p = p - rate v, with the v that was found. */
static struct own own_sgd(int64_t step, int i)
{
    const double kept = SGD_MOMENTUM * before.moments[0][i], g = before.gradients[i];
    const double change = rate * after.moments[0][i], least = FLT_TRUE_MIN;
    (void)step;
    return (struct own){.moments = {kept + g},
                        .parameter = before.parameters[i] - change,
                        .moment_bounds = {gamma_of(3) * (fabs(kept) + fabs(g)) + 3 * least},
                        .parameter_bound =
                            gamma_of(4) * (fabs((double)before.parameters[i]) + fabs(change)) +
                            4 * least};
}

static const struct row {
    const struct optimizer *optimizer;
    struct own (*own)(int64_t step, int i);
} rows[] = {{&adam_optimizer, own_adam}, {&sgd_optimizer, own_sgd}};

enum { ROWS = sizeof rows / sizeof *rows };

/* ---- right results and errors ---------------------------------------------------------------- */

static void check(const char *what, struct expectation e, float found, double value, double bound)
{
    if (!oracle_accepts(e, found))
        fail_msg("%s: %.9g is refused by %.9g, give or take %.3g", what, (double)found, e.value,
                 e.bound);
    if (!(fabs(e.value - value) <= 1e-9 * (bound + DBL_MIN) + 1e-13 * fabs(value)))
        fail_msg("%s: %.17g where %.17g is right", what, e.value, value);
    if (!(fabs(e.bound - bound) <= 1e-9 * bound))
        fail_msg("%s: a bound of %.9g where %.9g is right", what, e.bound, bound);
}

static void check_all(const struct row *row, int64_t step)
{
    for (int i = 0; i < COUNT; i++) {
        const struct update_after e = expected(row->optimizer, step, i);
        const struct own own = row->own(step, i);
        for (int m = 0; m < row->optimizer->moments; m++)
            check("a moment", e.moments[m], after.moments[m][i], own.moments[m],
                  own.moment_bounds[m]);
        check("a parameter", e.parameter, after.parameters[i], own.parameter, own.parameter_bound);
    }
}

TEST(no_right_update_is_refused)
{
    static const int64_t steps[] = {1, 2, 10, 1000, 1000000};
    for (size_t r = 0; r < ROWS; r++)
        for (int64_t set = 0; set < SETS; set++) {
            draw(set);
            for (enum isa isa = 0; isa <= isa_best(); isa++) {
                if (!rows[r].optimizer->run[isa])
                    continue;
                run(rows[r].optimizer, isa, steps[set % 5]);
                check_all(&rows[r], steps[set % 5]);
            }
        }
}

/* ---- known answers --------------------------------------------------------------------------- */

/* In its first step Adam moves by its learning rate, whatever the gradient: m / (1 - 0.9) = g, v /
 * (1 - 0.999) = g^2. */
TEST(the_first_step_of_adam)
{
    memset(&before, 0, sizeof before);
    for (int i = 0; i < COUNT; i++)
        before.gradients[i] = i % 2 ? -3.0f : 0.5f;
    run(&adam_optimizer, ISA_BASELINE, 1);
    for (int i = 0; i < COUNT; i++) {
        const struct update_after e = expected(&adam_optimizer, 1, i);
        const double right = i % 2 ? rate : -rate;
        assert_true(fabs(e.parameter.value - right) <= 1e-6 * rate);
        assert_true(fabs(after.parameters[i] - right) <= 1e-6 * rate);
    }
}

TEST(momentum)
{
    memset(&before, 0, sizeof before);
    before.parameters[0] = 1.0f;
    before.gradients[0] = 2.0f;
    before.moments[0][0] = 10.0f;
    run(&sgd_optimizer, ISA_BASELINE, 7);
    const struct update_after e = expected(&sgd_optimizer, 7, 0);
    assert_true(fabs(e.moments[0].value - 11.0) <= 1e-12);
    assert_true(fabs(e.parameter.value - (1.0 - 11.0 * rate)) <= 1e-12);
}
