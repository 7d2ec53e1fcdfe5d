#include "cuda/device.h"

#include "harness/base/text/screen.h"
#include "harness/machine/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Returns the length of a call without its arguments: 10 for "cudaMalloc(&p, bytes)". */
static int name_length(const char *call)
{
    return (int)strcspn(call, "(");
}

/* The allocation that failed last; 0 bytes: none did. */
static struct {
    size_t bytes;
    bool pinned;
} refused;

static cudaError_t note_refused(cudaError_t error, size_t bytes, bool pinned)
{
    if (error == cudaErrorMemoryAllocation) {
        refused.bytes = bytes;
        refused.pinned = pinned;
    }
    return error;
}

cudaError_t device_malloc(void **out, size_t bytes)
{
    return note_refused(cudaMalloc(out, bytes), bytes, false);
}

cudaError_t device_malloc_pinned(void **out, size_t bytes)
{
    return note_refused(cudaMallocHost(out, bytes), bytes, true);
}

/* Says how many bytes were asked for and, of the device's memory, how many are free. */
static enum status no_memory(const char *call, const char *place, struct failure *f)
{
    size_t free_bytes = 0, all = 0;
    const size_t bytes = refused.bytes;
    refused.bytes = 0;
    if (bytes == 0)
        return fail(f, STATUS_RESOURCE, "not enough memory on the device, or pinned (%.*s, %s)",
                    name_length(call), call, place);
    if (refused.pinned)
        return fail(f, STATUS_RESOURCE,
                    "not enough memory that can be pinned: %zu bytes are needed (%s)", bytes,
                    place);
    if (cudaMemGetInfo(&free_bytes, &all) != cudaSuccess)
        return fail(f, STATUS_RESOURCE,
                    "not enough memory on the device: %zu bytes are needed (%s)", bytes, place);
    return fail(f, STATUS_RESOURCE,
                "not enough memory on the device: %zu bytes are needed, %zu of %zu are free (%s)",
                bytes, free_bytes, all, place);
}

const char *device_architecture_option(char *text, size_t size)
{
    struct cudaDeviceProp properties;
    int index;
    if (cudaGetDevice(&index) == cudaSuccess &&
        cudaGetDeviceProperties(&properties, index) == cudaSuccess)
        snprintf(text, size, "cmake --preset release -DMAXPOOL_CUDA_ARCHITECTURES=%d%d",
                 properties.major, properties.minor);
    else
        snprintf(text, size, "-DMAXPOOL_CUDA_ARCHITECTURES= and the GPU's compute capability");
    return text;
}

/* HIP does not tell a missing driver from a missing GPU. */
static enum status no_device(struct failure *f)
{
#ifdef MAXPOOL_HIP
    return fail(f, STATUS_UNAVAILABLE,
                "no HIP device: there is no GPU of AMD, or its driver is not installed");
#else
    return fail(f, STATUS_UNAVAILABLE,
                "no CUDA device: the driver is installed, but there is no GPU");
#endif
}

static enum status missing(cudaError_t error, const char *call, const char *place,
                           struct failure *f)
{
    char option[96];
    switch ((int)error) { /* some are no errors of HIP */
    case cudaErrorNoDevice:
        return no_device(f);
    case cudaErrorInsufficientDriver:
        return fail(f, STATUS_UNAVAILABLE, "no NVIDIA driver that this build can use");
    case cudaErrorDevicesUnavailable:
        return fail(f, STATUS_UNAVAILABLE, "the CUDA device is busy or held by somebody else");
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorInitializationError:
        return fail(f, STATUS_UNAVAILABLE, "the NVIDIA driver does not work here: %s",
                    cudaGetErrorString(error));
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
        return fail(f, STATUS_UNAVAILABLE,
                    "this build has no kernels for this GPU: configure with %s",
                    device_architecture_option(option, sizeof option));
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
        return fail(
            f, STATUS_UNAVAILABLE,
            "this build has no machine code for this GPU, and its driver is too old to make "
            "some: configure with %s",
            device_architecture_option(option, sizeof option));
    case cudaErrorStubLibrary:
        return fail(f, STATUS_UNAVAILABLE,
                    "the libcuda that is found is the stub that programs are linked with, not a "
                    "driver: take its folder out of LD_LIBRARY_PATH");
    case cudaErrorCompatNotSupportedOnDevice:
        return fail(
            f, STATUS_UNAVAILABLE,
            "the CUDA compatibility package that is found does not serve this GPU: take its "
            "folder out of LD_LIBRARY_PATH, or update the driver");
    case cudaErrorOperatingSystem:
        return fail(f, STATUS_UNAVAILABLE,
                    "the operating system refuses the NVIDIA driver: are its device files "
                    "(/dev/nvidia*) there, and may this user open them?");
    case cudaErrorMemoryAllocation:
        return no_memory(call, place, f);
    default:
        return STATUS_OK;
    }
}

/* The fault that broke the context, or "" if none did. After it, every later call fails with the
 * same error, whatever the call is. */
static char first_fault[256];

/* True for errors after which a context is lost. Source: CUDA Runtime API, "cudaError_t" (those
 * that leave the process in an inconsistent state). */
static bool breaks_context(cudaError_t error)
{
    return error == cudaErrorIllegalAddress || error == cudaErrorLaunchTimeout ||
           error == cudaErrorECCUncorrectable ||
           (error >= cudaErrorAssert && error <= cudaErrorLaunchFailure);
}

enum status cuda_check(cudaError_t error, const char *call, const char *file, int line,
                       struct failure *f)
{
    char place[128], text[256];
    if (error == cudaSuccess)
        return STATUS_OK;
    snprintf(place, sizeof place, "%s:%d", file, line);
    const enum status status = missing(error, call, place, f);
    if (status != STATUS_OK)
        return status;
    snprintf(text, sizeof text, "%s (%s, %.*s, %s)", cudaGetErrorString(error),
             cudaGetErrorName(error), name_length(call), call, place);
    if (first_fault[0])
        return fail(f, STATUS_RESOURCE, "CUDA: %s; the device is lost since %s", text, first_fault);
    if (breaks_context(error))
        snprintf(first_fault, sizeof first_fault, "%s", text);
    return fail(f, STATUS_RESOURCE, "CUDA: %s", text);
}

enum status device_events_open(cudaEvent_t *events, int64_t count, struct failure *f)
{
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < count; i++)
        status = CUDA(cudaEventCreate(&events[i]), f);
    return status;
}

void device_events_close(cudaEvent_t *events, int64_t count)
{
    for (int64_t i = 0; events && i < count; i++) {
        if (events[i])
            cudaEventDestroy(events[i]);
        events[i] = NULL;
    }
}

void device_stream_close(cudaStream_t *stream)
{
    if (*stream)
        cudaStreamDestroy(*stream);
    *stream = NULL;
}

/* Without a driver the runtime reports version 0. */
static enum status check_driver(int *driver, int *runtime, struct failure *f)
{
    enum status status = CUDA(cudaDriverGetVersion(driver), f);
    if (status == STATUS_OK)
        status = CUDA(cudaRuntimeGetVersion(runtime), f);
    if (status != STATUS_OK)
        return status;
    if (*driver == 0)
        return fail(f, STATUS_UNAVAILABLE, "no NVIDIA driver on this machine");
    if (*driver / 1000 < *runtime / 1000)
        return fail(f, STATUS_UNAVAILABLE,
                    "the NVIDIA driver is too old: it serves CUDA %d.%d, this build needs %d.%d",
                    *driver / 1000, *driver % 1000 / 10, *runtime / 1000, *runtime % 1000 / 10);
    return STATUS_OK;
}

static enum status count_devices(int *count, int *driver, int *runtime, struct failure *f)
{
    enum status status = check_driver(driver, runtime, f);
    if (status == STATUS_OK)
        status = CUDA(cudaGetDeviceCount(count), f);
    if (status == STATUS_OK && *count == 0)
        status = CUDA(cudaErrorNoDevice, f);
    return status;
}

enum status device_probe(struct failure *f)
{
    int count = 0, driver, runtime;
    return count_devices(&count, &driver, &runtime, f);
}

enum status device_count(int64_t *count, struct failure *f)
{
    int devices = 0, driver, runtime;
    const enum status status = count_devices(&devices, &driver, &runtime, f);
    *count = devices;
    return status;
}

static enum status describe(struct device *d, int index, struct failure *f)
{
    struct cudaDeviceProp properties;
    enum status status = CUDA(cudaGetDeviceProperties(&properties, index), f);
    if (status != STATUS_OK)
        return status;
    snprintf(d->name, sizeof d->name, "%s", properties.name);
    d->major = properties.major;
    d->minor = properties.minor;
    d->processors = properties.multiProcessorCount;
    d->threads_per_processor = properties.maxThreadsPerMultiProcessor;
    d->grid_rows = properties.maxGridSize[1];
    d->grid_planes = properties.maxGridSize[2];
    d->cache_bytes = properties.l2CacheSize;
    d->memory_bytes = properties.totalGlobalMem;
    return CUDA(cudaDeviceGetPCIBusId(d->bus, sizeof d->bus, index), f);
}

enum status device_take(struct device *d, int64_t index, struct failure *f)
{
    int count = 0;
    memset(d, 0, sizeof *d);
    enum status status = count_devices(&count, &d->driver, &d->runtime, f);
    if (status == STATUS_OK && index >= count)
        return fail(f, STATUS_USAGE, "--device %lld: this machine has %d, counted from 0",
                    (long long)index, count);
    if (status == STATUS_OK)
        status = CUDA(cudaSetDevice((int)index), f);
    if (status == STATUS_OK)
        status = CUDA(cudaFree(NULL), f); /* creates the context */
    if (status == STATUS_OK)
        first_fault[0] = 0; /* the new context is sound */
    return status == STATUS_OK ? describe(d, (int)index, f) : status;
}

enum status device_seconds(cudaEvent_t begin, cudaEvent_t end, double *seconds, struct failure *f)
{
    float milliseconds = 0.0f;
    const enum status status = CUDA(cudaEventElapsedTime(&milliseconds, begin, end), f);
    *seconds = (double)milliseconds * 1e-3;
    return status;
}

enum status device_available(size_t *bytes, struct failure *f)
{
    size_t free_bytes = 0, total = 0;
    enum status status = CUDA(cudaMemGetInfo(&free_bytes, &total), f);
    *bytes = free_bytes - free_bytes / 10;
    return status;
}

static enum status clock_run(enum status (*run)(void *context, int way, struct failure *f),
                             void *context, int way, cudaStream_t stream, const cudaEvent_t at[2],
                             double *seconds, struct failure *f)
{
    enum status status = CUDA(cudaEventRecord(at[0], stream), f);
    if (status == STATUS_OK)
        status = run(context, way, f);
    if (status == STATUS_OK)
        status = CUDA(cudaEventRecord(at[1], stream), f);
    if (status == STATUS_OK)
        status = CUDA(cudaStreamSynchronize(stream), f);
    return status == STATUS_OK ? device_seconds(at[0], at[1], seconds, f) : status;
}

/* The first run of each way loads its kernels and does not count. */
enum status device_compare(enum status (*run)(void *context, int way, struct failure *f),
                           void *context, cudaStream_t stream, double best_s[2], struct failure *f)
{
    enum { RUNS = 6 };
    best_s[0] = best_s[1] = INFINITY;
    cudaEvent_t at[2] = {NULL, NULL};
    enum status status = device_events_open(at, 2, f);
    for (int i = 0; status == STATUS_OK && i < 2 * RUNS; i++) {
        double seconds = 0.0;
        status = clock_run(run, context, i % 2, stream, at, &seconds, f);
        if (i >= 2)
            best_s[i % 2] = fmin(best_s[i % 2], seconds);
    }
    device_events_close(at, 2);
    return status;
}

enum status device_faster(enum status (*run)(void *context, int way, struct failure *f),
                          void *context, cudaStream_t stream, int *faster, struct failure *f)
{
    double best_s[2];
    const enum status status = device_compare(run, context, stream, best_s, f);
    *faster = best_s[1] < best_s[0];
    return status;
}

void device_describe(const struct device *d, char *text, size_t size)
{
    char processors[64], versions[3][24];
    message_fill(processors, sizeof processors,
                 message_plural(screen_language(), "%{n} multiprocessor", "%{n} multiprocessors",
                                (unsigned long)d->processors),
                 WITH({"n", integer_text(d->processors).text}));
    snprintf(versions[0], sizeof versions[0], "%d.%d", d->major, d->minor);
    snprintf(versions[1], sizeof versions[1], "%d.%d", d->driver / 1000, d->driver % 1000 / 10);
    snprintf(versions[2], sizeof versions[2], "%d.%d", d->runtime / 1000, d->runtime % 1000 / 10);
    message_format(
        text, size, screen_language(),
        "%{device}, compute capability %{capability}, %{processors}, %{memory}, L2 "
        "cache %{cache}\ndriver serves %{interface} %{driver}, runtime %{runtime}",
        WITH({"device", d->name}, {"capability", versions[0]}, {"processors", processors},
             {"memory", memory_text((double)d->memory_bytes).text},
             {"cache", memory_text((double)d->cache_bytes).text}, {"driver", versions[1]},
             {"runtime", versions[2]}, {"interface", DEVICE_INTERFACE}));
}
