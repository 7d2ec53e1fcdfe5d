/* The mean squared error, over values and images. */
#include "networks/losses/loss.h"

#include <math.h>

static void run(const struct loss_call *call, int64_t image)
{
    const double count = (double)call->values;
    double sum = 0.0;
    for (int64_t i = image * call->values; i < (image + 1) * call->values; i++) {
        const double difference = (double)call->outputs[i] - call->targets.values[i];
        sum += difference * difference;
        call->d_output[i] = (float)(2.0 * difference / (count * (double)call->whole));
    }
    call->losses[image] = sum / count;
}

static struct expectation expect(const struct loss_call *call, int64_t image)
{
    double sum = 0.0;
    for (int64_t i = 0; i < call->values; i++)
        sum += pow((double)call->outputs[image * call->values + i] -
                       call->targets.values[image * call->values + i],
                   2.0);
    const double value = sum / (double)call->values, u = 0x1p-53;
    /* Here and in run(): each of n positive terms is rounded twice, their sum n times, the mean
     * once. */
    return (struct expectation){value, 2.0 * ((double)call->values + 3.0) * u * value};
}

static struct expectation expect_d_output(const struct loss_call *call, int64_t image,
                                          int64_t value)
{
    const int64_t at = image * call->values + value;
    const double difference = (double)call->outputs[at] - call->targets.values[at];
    const double d_output = difference / ((double)call->values * (double)call->whole / 2.0);
    return (struct expectation){d_output, oracle_bound(1, fabs(d_output))};
}

const struct loss mean_squared_loss = {
    .name = "mean squared error", .run = run, .expect = expect, .expect_d_output = expect_d_output};
