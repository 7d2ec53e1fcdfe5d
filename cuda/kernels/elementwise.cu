/* Dropout of a step's outputs, and the backward pass of dropout and clamp: the same bits as on the
 * host (networks/layers/dropout.c, clamp_gradient.c). */
#include "cuda/kernels/linear_blocks.cuh"
#include "cuda/kernels/training/training.h"
#include "networks/layers/dropout_mask.h"

static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    drop_elements(struct elements_task t)
{
    const int64_t i = thread_of_line();
    if (i >= t.count)
        return;
    const int64_t image = i / t.elements, element = i - image * t.elements;
    const uint64_t bits = mask_bits(mask_key(*t.key, t.first_image + image), element);
    t.values[i] = mask_keeps(bits, element, t.dropped) ? t.values[i] * t.scale : 0.0f;
}

/* A dropped output is 0, which no clamp lets through either, so that it needs no other test. */
static __global__ void __launch_bounds__(TRAINING_BLOCK *TRAINING_BLOCK)
    gate_elements(struct elements_task t)
{
    const int64_t i = thread_of_line();
    if (i >= t.count)
        return;
    const float y = t.outputs[i];
    t.values[i] = y > t.least && y < t.most ? t.values[i] * t.scale : 0.0f;
}

elements_kernel *const drop_kernel = drop_elements, *const gate_kernel = gate_elements;
