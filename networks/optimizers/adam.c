/* Adam: Kingma & Ba (2015), arXiv:1412.6980, algorithm 1, epsilon outside the root. */
#include "harness/base/text/messages.h"
#include "networks/optimizers/optimizer.h"

#include <math.h>

/* The sum a + b of terms that are each rounded a few times. */
static struct expectation sum_of(double a, double b, int64_t roundings)
{
    return (struct expectation){a + b, oracle_bound(roundings, fabs(a) + fabs(b))};
}

static struct update_after expect(const struct update *u, const struct update_before *before,
                                  const float *found)
{
    enum { ROUNDINGS = 5 };
    const double g = before->gradient, step = (double)u->step;
    const double rate = u->rate / (1.0 - pow(ADAM_BETA1, step));
    const double spread = sqrt(found[1] / (1.0 - pow(ADAM_BETA2, step))) + ADAM_EPSILON;
    const double change = rate * found[0] / spread;
    struct update_after after = {
        .moments = {
            sum_of(ADAM_BETA1 * before->moments[0], (1.0 - ADAM_BETA1) * g, ROUNDINGS),
            sum_of(ADAM_BETA2 * before->moments[1], (1.0 - ADAM_BETA2) * g * g, ROUNDINGS)}};
    after.parameter =
        (struct expectation){before->parameter - change,
                             oracle_bound(1, fabs((double)before->parameter) + fabs(change)) +
                                 oracle_bound(2 * ROUNDINGS, fabs(change)) +
                                 oracle_bound(1, 0.0) / spread}; /* rate times moment underflows */
    return after;
}

/* scales[0] is the rate over 1 - beta1^step, scales[1] is 1 over the root of 1 - beta2^step. */
static void begin(struct update *u)
{
    const double step = (double)u->step;
    u->scales[0] = (float)(u->rate / (1.0 - pow(ADAM_BETA1, step)));
    u->scales[1] = (float)(1.0 / sqrt(1.0 - pow(ADAM_BETA2, step)));
}

const struct optimizer adam_optimizer = {.name = "adam",
                                         .idea = N_("beta 0.9 and 0.999, epsilon 1e-8"),
                                         .moments = 2,
                                         .begin = begin,
                                         .run = ISA_VARIANTS(adam_update),
                                         .expect = expect};
