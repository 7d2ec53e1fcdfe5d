// What this GPU copies, for times to be held against: bytes per second, the best of some copies by
// the GPU's own events. Prints "KIND BYTES SECONDS BYTES_PER_S", one a line; a copy within the
// device reads and writes, and both count.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "bandwidth: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(3);
}

static float copy_milliseconds(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaEvent_t begin, end;
    float best = 1e30f;
    must(cudaEventCreate(&begin), "event");
    must(cudaEventCreate(&end), "event");
    for (int i = 0; i < 12; i++) {
        float now;
        must(cudaEventRecord(begin), "record");
        must(cudaMemcpyAsync(to, from, bytes, kind), "copy");
        must(cudaEventRecord(end), "record");
        must(cudaEventSynchronize(end), "wait");
        must(cudaEventElapsedTime(&now, begin, end), "time");
        if (i > 1) // the first ones touch pages and wake clocks
            best = std::min(best, now);
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return best;
}

static void measure(const char *name, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const double seconds = 1e-3 * copy_milliseconds(to, from, bytes, kind);
    const double moved = (kind == cudaMemcpyDeviceToDevice ? 2.0 : 1.0) * (double)bytes;
    std::printf("%-26s %12zu %.6e %.4e\n", name, bytes, seconds, moved / seconds);
}

int main()
{
    size_t free_bytes, total;
    must(cudaMemGetInfo(&free_bytes, &total), "memory");
    const size_t most = std::min<size_t>(size_t{1} << 30, free_bytes / 4);
    void *a, *b, *pinned, *pageable = std::calloc(1, most);
    must(cudaMalloc(&a, most), "allocation");
    must(cudaMalloc(&b, most), "allocation");
    must(cudaMallocHost(&pinned, most), "pinned allocation");
    if (!pageable)
        return 4;
    must(cudaMemset(a, 0, most), "set");
    std::printf("# kind bytes seconds bytes_per_s\n");
    for (size_t bytes = size_t{1} << 16; bytes <= most; bytes *= 16) {
        measure("device_to_device", b, a, bytes, cudaMemcpyDeviceToDevice);
        measure("pinned_to_device", a, pinned, bytes, cudaMemcpyHostToDevice);
        measure("device_to_pinned", pinned, a, bytes, cudaMemcpyDeviceToHost);
        measure("pageable_to_device", a, pageable, bytes, cudaMemcpyHostToDevice);
        measure("device_to_pageable", pageable, a, bytes, cudaMemcpyDeviceToHost);
    }
    return 0;
}
