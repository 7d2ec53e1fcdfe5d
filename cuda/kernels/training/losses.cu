/* The losses of networks/losses/, in double precision as there: one thread per image. */
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/training/training.h"

#include <math.h>

/* Stores the loss of an image. One that is not finite holds the update. */
static __device__ void store_loss(const struct loss_task *t, int64_t image, double loss)
{
    t->losses[image] = loss;
    if (!isfinite(loss))
        atomicExch(t->held, 1);
}

/* Softmax with cross-entropy. The largest output is subtracted from all. */
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    cross_entropy(struct loss_task t)
{
    const int64_t image = thread_of_line();
    if (image >= t.images)
        return;
    const float *y = t.outputs + image * t.values;
    float *d_output = t.d_output + image * t.values;
    const int32_t label = t.labels[image];
    double most = y[0], sum = 0.0;
    for (int64_t i = 1; i < t.values; i++)
        most = y[i] > most || isnan(y[i]) ? y[i] : most;
    for (int64_t i = 0; i < t.values; i++)
        sum += exp(y[i] - most);
    const double share = 1.0 / sum, each = 1.0 / (double)t.whole;
    for (int64_t i = 0; i < t.values; i++)
        d_output[i] = (float)((exp(y[i] - most) * share - (i == label ? 1.0 : 0.0)) * each);
    store_loss(&t, image, log(sum) - (y[label] - most));
}

static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    mean_squared(struct loss_task t)
{
    const int64_t image = thread_of_line();
    if (image >= t.images)
        return;
    const double values = (double)t.values;
    double sum = 0.0;
    for (int64_t i = image * t.values; i < (image + 1) * t.values; i++) {
        const double difference = (double)t.outputs[i] - t.targets[i];
        sum += difference * difference;
        t.d_output[i] = (float)(2.0 * difference / (values * (double)t.whole));
    }
    store_loss(&t, image, sum / values);
}

loss_kernel *const cross_entropy_kernel = cross_entropy, *const mean_squared_kernel = mean_squared;
