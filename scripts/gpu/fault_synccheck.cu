// Planted fault: a barrier that half of a warp does not reach.
#include <cstdio>

__global__ void meet(float *to)
{
    if (threadIdx.x < 48)
        __syncthreads();
    to[threadIdx.x] = 1.0f;
}

int main()
{
    float *to;
    if (cudaMalloc(&to, 64 * sizeof(float)) != cudaSuccess)
        return 3;
    meet<<<1, 64>>>(to);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(to);
    return 0;
}
