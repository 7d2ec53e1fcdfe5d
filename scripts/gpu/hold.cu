// Holds a context of the first GPU until its input ends: while one process has a context, the
// driver stays initialized, and other processes create their contexts sooner.
#include <cstdio>

int main()
{
    const cudaError_t error = cudaFree(0);
    if (error != cudaSuccess) {
        std::fprintf(stderr, "hold: %s\n", cudaGetErrorString(error));
        return 3;
    }
    while (std::getchar() != EOF)
        ;
    return 0;
}
