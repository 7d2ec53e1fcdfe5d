/* Softmax with cross-entropy: -log(exp(y_label) / sum of exp(y_j)). Its slopes are the shares less
 * one for the class that is right. Source: Goodfellow, Bengio & Courville, Deep Learning (2016),
 * section 6.2.2.3. */
#include "networks/losses/loss.h"

#include <math.h>

static double largest(const float *y, int64_t values)
{
    double most = y[0];
    for (int64_t i = 1; i < values; i++)
        most = y[i] > most || isnan(y[i]) ? y[i] : most;
    return most;
}

static void run(const struct loss_call *call, int64_t image)
{
    const float *y = call->outputs + image * call->values;
    float *slopes = call->slopes + image * call->values;
    const int32_t label = call->targets.labels[image];
    const double most = largest(y, call->values);
    double sum = 0.0;
    for (int64_t i = 0; i < call->values; i++)
        sum += exp(y[i] - most);
    for (int64_t i = 0; i < call->values; i++)
        slopes[i] =
            (float)((exp(y[i] - most) / sum - (i == label ? 1.0 : 0.0)) / (double)call->whole);
    call->losses[image] = log(sum) - (y[label] - most);
}

/* The share of a value, without what was taken from all: sum of exp(y_j - y_i), inverted. */
static double inverse_share(const struct loss_call *call, int64_t image, int64_t value)
{
    const float *y = call->outputs + image * call->values;
    double sum = 0.0;
    for (int64_t i = 0; i < call->values; i++)
        sum += exp((double)y[i] - y[value]);
    return sum;
}

static struct expectation expect(const struct loss_call *call, int64_t image)
{
    const double value = log(inverse_share(call, image, call->targets.labels[image]));
    return (struct expectation){value, 1e-12 * (1.0 + fabs(value))};
}

static struct expectation expect_slope(const struct loss_call *call, int64_t image, int64_t value)
{
    const double share = 1.0 / inverse_share(call, image, value);
    const double right = value == call->targets.labels[image] ? 1.0 : 0.0;
    const double slope = (share - right) / (double)call->whole;
    return (struct expectation){slope, oracle_bound(1, fabs(slope)) + 1e-14};
}

const struct loss cross_entropy_loss = {.name = "cross-entropy",
                                        .labels = true,
                                        .run = run,
                                        .expect = expect,
                                        .expect_slope = expect_slope};
