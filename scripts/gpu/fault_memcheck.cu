// Planted fault: the last thread writes one element beyond its array.
#include <cstdio>

__global__ void write_beyond(float *array)
{
    array[threadIdx.x + 1] = 1.0f;
}

int main()
{
    float *array;
    if (cudaMalloc(&array, 64 * sizeof(float)) != cudaSuccess)
        return 3;
    write_beyond<<<1, 64>>>(array);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(array);
    return 0;
}
