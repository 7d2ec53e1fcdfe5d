#include "cuda/peers/peer_kernels.h"

#include <cuda_runtime.h>
#include <math.h>

static __global__ void pad_band(struct pool_task t)
{
    const int64_t row = (int64_t)blockIdx.y * blockDim.y + threadIdx.y;
    const int64_t col = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t r = row + t.top, c = col + t.left;
    if (row >= t.out_rows || col >= t.out_cols)
        return;
    const bool inside = r >= 0 && r < t.in_rows && c >= 0 && c < t.in_cols;
    t.map[blockIdx.z * t.map_plane + row * t.out_cols + col] =
        inside ? t.image[(blockIdx.z * t.in_rows + r) * t.in_cols + c] : t.pad;
}

static __global__ void maximum_of_products(struct pool_task t)
{
    const int64_t row = (int64_t)blockIdx.y * blockDim.y + threadIdx.y;
    const int64_t col = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= t.out_rows || col >= t.out_cols)
        return;
    const int64_t line = t.out_cols * t.kernel * t.kernel;
    const float *product = t.image + (row + t.top / t.stride) * line + col * t.stride;
    float best = -INFINITY;
    for (int64_t i = 0; i < t.kernel; i++)
        for (int64_t j = 0; j < t.kernel; j++) {
            const float value = product[i * t.in_cols + j];
            best = value > best ? value : best;
        }
    t.map[row * t.out_cols + col] = best;
}

pool_kernel *const peer_pad_kernel = pad_band;
pool_kernel *const peer_maximum_kernel = maximum_of_products;
