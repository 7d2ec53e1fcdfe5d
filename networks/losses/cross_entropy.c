/* Softmax with cross-entropy: -log(exp(y_label) / sum of exp(y_j)). The output gradient is the
 * softmax, less 1 for the correct class, divided by the images of the batch. Source: Goodfellow,
 * Bengio & Courville, Deep Learning (2016), section 6.2.2.3. */
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
    float *d_output = call->d_output + image * call->values;
    const int32_t label = call->targets.labels[image];
    const double most = largest(y, call->values);
    double sum = 0.0;
    for (int64_t i = 0; i < call->values; i++)
        sum += exp(y[i] - most);
    for (int64_t i = 0; i < call->values; i++)
        d_output[i] =
            (float)((exp(y[i] - most) / sum - (i == label ? 1.0 : 0.0)) / (double)call->whole);
    call->losses[image] = log(sum) - (y[label] - most);
}

/* -log of a value's softmax: the log of the sum over j of exp(y_j - y_value), two terms at a time
 * by log(e^a + e^b) = max(a, b) + log1p(e^-|a - b|). No term overflows. */
static double minus_log_share(const struct loss_call *call, int64_t image, int64_t value)
{
    const float *y = call->outputs + image * call->values;
    double log_sum = 0.0; /* the value's own term is 1 */
    for (int64_t i = 0; i < call->values; i++) {
        if (i == value)
            continue;
        const double difference = (double)y[i] - y[value];
        log_sum = fmax(log_sum, difference) + log1p(exp(-fabs(log_sum - difference)));
    }
    return log_sum;
}

/* Error bound of L = -log of a softmax, by run() and by this oracle, in double precision, u =
 * 2^-53. For n values, run() adds n terms, each of which is rounded three times, subtracts and
 * takes a log: n + 8 roundings of at most 1 + L. The oracle's n steps each round the difference,
 * the result, exp and log1p: four roundings of at most 1 + L, none of which a later step enlarges.
 * The relative error of the softmax is as large. */
static double log_bound(const struct loss_call *call, double log_sum)
{
    const double u = 0x1p-53;
    return (5.0 * (double)call->values + 8.0) * u * (1.0 + log_sum);
}

static struct expectation expect(const struct loss_call *call, int64_t image)
{
    const double value = minus_log_share(call, image, call->targets.labels[image]);
    return (struct expectation){value, log_bound(call, value)};
}

static struct expectation expect_d_output(const struct loss_call *call, int64_t image,
                                          int64_t value)
{
    const double log_sum = minus_log_share(call, image, value), share = exp(-log_sum);
    const double right = value == call->targets.labels[image] ? 1.0 : 0.0;
    const double d_output = (share - right) / (double)call->whole;
    return (struct expectation){d_output,
                                oracle_bound(1, fabs(d_output)) +
                                    share * log_bound(call, log_sum) / (double)call->whole};
}

const struct loss cross_entropy_loss = {.name = "cross-entropy",
                                        .labels = true,
                                        .run = run,
                                        .expect = expect,
                                        .expect_d_output = expect_d_output};
