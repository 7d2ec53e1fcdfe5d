// What every kernel of the CUDA programs needs, and the calls around them: MaxpoolCuda.cmake
// compiles this for each architecture and links it with the runtime.
#include "cuda/kernels/copy_async.cuh"

__global__ void __launch_bounds__(256) probe(const float *from, float *to)
{
    __shared__ float tile[256];
    copy_begin<1>(&tile[threadIdx.x], from + threadIdx.x, true);
    copy_wait();
    __syncthreads();
    to[threadIdx.x] = tile[255 - threadIdx.x];
}

int main()
{
    int devices = 0;
    float *memory = 0, *pinned = 0;
    cudaEvent_t event;
    cudaStream_t stream;
    cudaFuncAttributes facts;
    cudaDeviceProp device;
    cudaGetDeviceCount(&devices);
    cudaGetDeviceProperties(&device, 0);
    cudaMallocHost(&pinned, 2048);
    cudaMalloc(&memory, 2048);
    cudaEventCreate(&event);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemcpyAsync(memory, pinned, 1024, cudaMemcpyHostToDevice, stream);
    probe<<<1, 256, 0, stream>>>(memory, memory + 256);
    cudaEventRecord(event, stream);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&devices, probe, 256, 0);
    return cudaFuncGetAttributes(&facts, probe) == cudaSuccess ? 0 : 1;
}
