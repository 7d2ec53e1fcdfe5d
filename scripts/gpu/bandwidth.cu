// Measures the copy rates of this GPU, as a reference for other times: bytes per second, the best
// of several copies, timed by the GPU's events. Prints "KIND BYTES SECONDS BYTES_PER_S", one per
// line, from 64 KiB to 1 GiB; a copy within the device reads and writes, and both count.
// read_4_write_1 has the memory traffic of pooling with k = s = 2: BYTES are read and a quarter of
// them written.
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

// Sums pieces of 16 bytes, one from each quarter of the array. A grid-stride loop, so that every
// thread fetches several pieces.
static __global__ void read_four_write_one(float4 *to, const float4 *from, size_t pieces)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < pieces; i += step) {
        const float4 a = from[i], b = from[i + pieces], c = from[i + 2 * pieces],
                     d = from[i + 3 * pieces];
        to[i] = make_float4(a.x + b.x + c.x + d.x, a.y + b.y + c.y + d.y, a.z + b.z + c.z + d.z,
                            a.w + b.w + c.w + d.w);
    }
}

struct work {
    const char *name;
    double moved; // bytes moved per byte of BYTES
    cudaMemcpyKind kind;
    bool kernel;
};

static void start(const work &w, void *to, const void *from, size_t bytes, int processors)
{
    if (w.kernel)
        read_four_write_one<<<processors * 8, 256>>>((float4 *)to, (const float4 *)from,
                                                     bytes / (4 * sizeof(float4)));
    else
        must(cudaMemcpyAsync(to, from, bytes, w.kind), "copy");
    must(cudaGetLastError(), "launch");
}

static float best_milliseconds(const work &w, void *to, const void *from, size_t bytes,
                               int processors)
{
    cudaEvent_t begin, end;
    float best = 1e30f;
    must(cudaEventCreate(&begin), "event");
    must(cudaEventCreate(&end), "event");
    for (int i = 0; i < 12; i++) {
        float now;
        must(cudaEventRecord(begin), "record");
        start(w, to, from, bytes, processors);
        must(cudaEventRecord(end), "record");
        must(cudaEventSynchronize(end), "wait");
        must(cudaEventElapsedTime(&now, begin, end), "time");
        if (i > 1) // the first copies touch pages and raise clocks
            best = std::min(best, now);
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return best;
}

static void measure(const work &w, void *to, const void *from, size_t bytes, int processors)
{
    const double seconds = 1e-3 * best_milliseconds(w, to, from, bytes, processors);
    std::printf("%-26s %12zu %.6e %.4e\n", w.name, bytes, seconds,
                w.moved * (double)bytes / seconds);
}

int main()
{
    size_t free_bytes, total;
    cudaDeviceProp device;
    must(cudaGetDeviceProperties(&device, 0), "device");
    must(cudaMemGetInfo(&free_bytes, &total), "memory");
    const int processors = device.multiProcessorCount;
    const size_t most = std::min<size_t>(size_t{1} << 30, free_bytes / 4);
    void *a, *b, *pinned, *pageable = std::calloc(1, most);
    must(cudaMalloc(&a, most), "allocation");
    must(cudaMalloc(&b, most), "allocation");
    must(cudaMallocHost(&pinned, most), "pinned allocation");
    if (!pageable)
        return 4;
    must(cudaMemset(a, 0, most), "set");
    std::printf("# kind bytes seconds bytes_per_s\n");
    for (int shift = 16; shift <= 30; shift += shift < 28 ? 4 : 2) {
        const size_t bytes = size_t{1} << shift;
        if (bytes > most)
            break;
        measure({"device_to_device", 2.0, cudaMemcpyDeviceToDevice, false}, b, a, bytes,
                processors);
        measure({"read_4_write_1", 1.25, cudaMemcpyDefault, true}, b, a, bytes, processors);
        measure({"pinned_to_device", 1.0, cudaMemcpyHostToDevice, false}, a, pinned, bytes,
                processors);
        measure({"device_to_pinned", 1.0, cudaMemcpyDeviceToHost, false}, pinned, a, bytes,
                processors);
        measure({"pageable_to_device", 1.0, cudaMemcpyHostToDevice, false}, a, pageable, bytes,
                processors);
        measure({"device_to_pageable", 1.0, cudaMemcpyDeviceToHost, false}, pageable, a, bytes,
                processors);
    }
    return 0;
}
