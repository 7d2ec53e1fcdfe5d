/* The updates of networks/optimizers/: one thread per parameter. */
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/training/training.h"

#include <math.h>

static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK) adam(struct update_task t)
{
    const int64_t i = thread_of_line();
    if (i >= t.count || t.numbers->held != 0)
        return;
    const float rate = t.numbers->rate, root = t.numbers->root;
    const float gradient = t.gradients[i];
    const float first = t.keep[0] * t.moments[0][i] + t.take[0] * gradient;
    const float second = t.keep[1] * t.moments[1][i] + t.take[1] * (gradient * gradient);
    t.moments[0][i] = first;
    t.moments[1][i] = second;
    t.parameters[i] -= rate * first / (sqrtf(second) * root + t.epsilon);
}

static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK) sgd(struct update_task t)
{
    const int64_t i = thread_of_line();
    if (i >= t.count || t.numbers->held != 0)
        return;
    const float rate = t.numbers->rate;
    const float velocity = t.keep[0] * t.moments[0][i] + t.gradients[i];
    t.moments[0][i] = velocity;
    t.parameters[i] -= rate * velocity;
}

update_kernel *const adam_kernel = adam, *const sgd_kernel = sgd;
