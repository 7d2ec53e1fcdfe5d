/* Called by the worker of `study lab` around a GPU kernel: arrays on the device that mirror those
 * in shared memory. Compiled together with the kernel's file; no file includes it. */
#include <cuda_runtime.h>

#include <stddef.h>
#include <stdio.h>

enum { ARRAYS = 3 };

static struct {
    char *place;
    size_t bytes;
} arrays[ARRAYS];

#ifdef CUDA_EMULATION
#include <emulation.h>

static void begin(void)
{
    emulation_watch(true);
    emulation_print_faults(false);
}

static const char *words(cudaError_t error)
{
    return error == cudaSuccess   ? NULL
           : emulation_fault()[0] ? emulation_fault()
                                  : cudaGetErrorString(error);
}

/* Shows the kernel one operand of each array, in another order of threads for each call. Of the map
 * nothing was written yet. */
extern "C" void lab_device_operands(const long long begins[ARRAYS], const long long bytes[ARRAYS])
{
    static char *shown[ARRAYS];
    static unsigned long long seed;
    for (int i = 0; i < ARRAYS; i++) {
        char *const operand = arrays[i].place + begins[i];
        emulation_show(shown[i] ? shown[i] : arrays[i].place, operand, (size_t)bytes[i],
                       i < ARRAYS - 1);
        shown[i] = operand;
    }
    emulation_seed(seed++);
}

#ifdef LAB_COUNTED_CALL
#include <counts.h>

/* Counts what the call does, and prints the numbers of struct emulation_counts after a word. */
static void begin_counts(void)
{
    emulation_count_begin();
}

static void print_numbers(const void *from, size_t bytes)
{
    const int64_t *numbers = static_cast<const int64_t *>(from);
    for (size_t i = 0; i < bytes / sizeof *numbers; i++)
        fprintf(stderr, " %lld", static_cast<long long>(numbers[i]));
}

/* A line for each kind of request of a place: its mark, the kind, and the numbers of struct
 * counted_requests; and one for its branches, of kind -1. */
static void print_place(const counted_line &place)
{
    for (int memory = 0; memory < COUNTED_MEMORIES; memory++)
        for (int way = 0; way < COUNTED_WAYS; way++)
            if (place.requests[memory][way].requests > 0) {
                fprintf(stderr, "place %s %d", place.place, memory * COUNTED_WAYS + way);
                print_numbers(&place.requests[memory][way], sizeof place.requests[memory][way]);
                fprintf(stderr, "\n");
            }
    if (place.splits > 0)
        fprintf(stderr, "place %s -1 %lld %lld\n", place.place,
                static_cast<long long>(place.branches), static_cast<long long>(place.splits));
}

static void end_counts(void)
{
    enum { MOST = 256 };
    static counted_line places[MOST];
    struct emulation_counts counts;
    emulation_count_end(&counts);
    fprintf(stderr, "\ncounts");
    print_numbers(&counts, sizeof counts);
    fprintf(stderr, "\n");
    const int64_t all = emulation_count_places(places, MOST);
    for (int64_t i = 0; i < all && i < MOST; i++)
        print_place(places[i]);
    fflush(stderr);
}
#endif
#else
static void begin(void)
{
}

static const char *words(cudaError_t error)
{
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}
#endif

#ifndef LAB_COUNTED_CALL
static void begin_counts(void)
{
}

static void end_counts(void)
{
}
#endif

/* Returns NULL, or why there is no device or no memory on it. */
extern "C" const char *lab_device_begin(const size_t bytes[ARRAYS])
{
    int devices = 0;
    begin();
    cudaError_t error = cudaGetDeviceCount(&devices);
    for (int i = 0; error == cudaSuccess && i < ARRAYS; i++) {
        arrays[i].bytes = bytes[i];
        error = cudaMalloc((void **)&arrays[i].place, bytes[i]);
    }
    return words(error);
}

extern "C" void *lab_device_array(int which)
{
    return arrays[which].place;
}

/* Copies the whole of each array to the device, including the poisoned map. */
extern "C" const char *lab_device_give(const void *const host[ARRAYS])
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; error == cudaSuccess && i < ARRAYS; i++)
        error = cudaMemcpy(arrays[i].place, host[i], arrays[i].bytes, cudaMemcpyHostToDevice);
    begin_counts();
    return words(error);
}

/* Waits until everything that was launched is done or failed; returns NULL, or why it failed. */
extern "C" const char *lab_device_wait(void)
{
    const cudaError_t launched = cudaGetLastError(), error = cudaDeviceSynchronize();
    end_counts();
    return words(launched != cudaSuccess ? launched : error);
}

/* Copies the map and the memory around it to the host. */
extern "C" const char *lab_device_take(void *map)
{
    return words(cudaMemcpy(map, arrays[ARRAYS - 1].place, arrays[ARRAYS - 1].bytes,
                            cudaMemcpyDeviceToHost));
}
