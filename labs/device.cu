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

static const char *words(cudaError_t error)
{
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

/* Returns NULL, or why there is no device or no memory on it. */
extern "C" const char *lab_device_begin(const size_t bytes[ARRAYS])
{
    int devices = 0;
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
    return words(error);
}

/* Waits until everything that was launched is done or failed; returns NULL, or why it failed. */
extern "C" const char *lab_device_wait(void)
{
    const cudaError_t launched = cudaGetLastError(), error = cudaDeviceSynchronize();
    return words(launched != cudaSuccess ? launched : error);
}

/* Copies the map and the memory around it to the host. */
extern "C" const char *lab_device_take(void *map)
{
    return words(cudaMemcpy(map, arrays[ARRAYS - 1].place, arrays[ARRAYS - 1].bytes,
                            cudaMemcpyDeviceToHost));
}
