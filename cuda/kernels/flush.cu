/* Empties the L2 cache by reading an array. The old contents are written back while this kernel
 * runs, and the lines that it leaves are clean. If it wrote the array instead, every line would be
 * dirty, and would be written back while the next kernel is timed. */
#include "cuda/kernels/launch.h"
#include "cuda/kernels/linear_blocks.cuh"

/* All elements are 0, and so is every sum. So nothing is ever stored, but the compiler cannot know
 * that. */
static __global__ void __launch_bounds__(THREADS_MOST) read_elements(struct flush_task t)
{
    const int64_t step = (int64_t)gridDim.x * threads_of_block();
    const float4 *pieces = reinterpret_cast<const float4 *>(t.elements);
    float sum = 0.0f;
#pragma unroll 4
    for (int64_t i = thread_of_line(); i < t.count / 4; i += step) {
        const float4 four = pieces[i];
        sum += four.x + four.y + four.z + four.w;
    }
    if (sum != 0.0f)
        t.elements[0] = sum;
}

flush_kernel *const flush_elements = read_elements;
