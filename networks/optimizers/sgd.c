/* Stochastic gradient descent with momentum, as in PyTorch: v = 0.9 v + g, p = p - rate v.
 * Sutskever et al. (2013), "On the importance of initialization and momentum in deep learning". */
#include "harness/base/text/messages.h"
#include "networks/optimizers/optimizer.h"

#include <math.h>

static struct update_after expect(const struct update *u, const struct update_before *before,
                                  const float *found)
{
    const double kept = SGD_MOMENTUM * before->moments[0], change = u->rate * found[0];
    struct update_after after = {
        .moments = {{kept + before->gradient,
                     oracle_bound(3, fabs(kept) + fabs((double)before->gradient))}}};
    after.parameter =
        (struct expectation){before->parameter - change,
                             oracle_bound(4, fabs((double)before->parameter) + fabs(change))};
    return after;
}

const struct optimizer sgd_optimizer = {.name = "sgd",
                                        .idea = N_("with momentum 0.9"),
                                        .moments = 1,
                                        .run = ISA_VARIANTS(sgd_update),
                                        .expect = expect};
