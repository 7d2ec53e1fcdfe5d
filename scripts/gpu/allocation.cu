// Measures the microseconds to allocate and free the arrays of one window, while another small
// array exists and while none does: when the last array of a block of device memory is freed, the
// runtime may give the block back. Prints "ALLOCATED_BESIDE MICROSECONDS", the median of 200, one
// per line.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "allocation: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(3);
}

static double microseconds()
{
    const auto begin = std::chrono::steady_clock::now();
    void *window, *product;
    must(cudaMalloc(&window, 16), "allocation");
    must(cudaMalloc(&product, 16), "allocation");
    must(cudaFree(window), "release");
    must(cudaFree(product), "release");
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
        .count();
}

static void measure(const char *beside)
{
    std::vector<double> times;
    for (int i = 0; i < 200; i++)
        times.push_back(microseconds());
    std::nth_element(times.begin(), times.begin() + 100, times.end());
    std::printf("%-20s %.2f\n", beside, times[100]);
}

int main()
{
    void *anchor;
    must(cudaFree(nullptr), "context");
    std::printf("# allocated_beside microseconds\n");
    measure("nothing");
    must(cudaMalloc(&anchor, 16), "allocation");
    measure("a_small_array");
    must(cudaFree(anchor), "release");
    measure("nothing_again");
    return 0;
}
