// Planted fault: two warps exchange values through shared memory without a barrier.
#include <cstdio>

__global__ void exchange(float *to)
{
    __shared__ float shared[64];
    shared[threadIdx.x] = (float)threadIdx.x;
    to[threadIdx.x] = shared[63 - threadIdx.x];
}

int main()
{
    float *to;
    if (cudaMalloc(&to, 64 * sizeof(float)) != cudaSuccess)
        return 3;
    exchange<<<1, 64>>>(to);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(to);
    return 0;
}
