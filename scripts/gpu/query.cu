// Prints the compute capability of the first GPU, such as 90 for 9.0, if nvidia-smi does not report
// it.
#include <cstdio>

int main()
{
    cudaDeviceProp p;
    const cudaError_t error = cudaGetDeviceProperties(&p, 0);
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 3;
    }
    std::printf("%d%d\n", p.major, p.minor);
    return 0;
}
