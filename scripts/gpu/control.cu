// No fault: neighbours exchange values through shared memory correctly. Any report of a tool here
// is a false positive.
#include <cstdio>

__global__ void exchange(const float *from, float *to)
{
    __shared__ float shared[64];
    shared[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    to[threadIdx.x] = shared[63 - threadIdx.x];
}

int main()
{
    float host[64] = {1.0f}, *from, *to;
    if (cudaMalloc(&from, sizeof host) != cudaSuccess ||
        cudaMalloc(&to, sizeof host) != cudaSuccess)
        return 3;
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    exchange<<<1, 64>>>(from, to);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[63]);
    cudaFree(from);
    cudaFree(to);
    return host[63] == 1.0f ? 0 : 1;
}
