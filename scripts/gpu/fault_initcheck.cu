// Planted fault: a kernel reads device memory that was never written.
#include <cstdio>

__global__ void copy(const float *from, float *to)
{
    to[threadIdx.x] = from[threadIdx.x];
}

int main()
{
    float *from, *to;
    if (cudaMalloc(&from, 64 * sizeof *from) != cudaSuccess ||
        cudaMalloc(&to, 64 * sizeof *to) != cudaSuccess)
        return 3;
    copy<<<1, 64>>>(from, to);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(from);
    cudaFree(to);
    return 0;
}
