/* Reads the device's clock, its power and what throttles it, through NVIDIA's management library.
 * The library comes with the driver and is loaded when the program runs. */
#ifndef MAXPOOL_CUDA_NVML_H
#define MAXPOOL_CUDA_NVML_H

#include "harness/space/space.h"

struct nvml;

/* Opens the device on that PCI bus. Returns NULL if the library or the device cannot be found; then
 * times are recorded without clocks. */
struct nvml *nvml_open(const char *bus);
void nvml_close(struct nvml *n); /* NULL is fine */

/* If the device computes at least this long at a time, NVML is read meanwhile: a reading takes
 * less. Otherwise the same work is computed once more during the reading, outside of all times. */
#define NVML_LONG_S 6e-3

/* Sets clock_mhz, power_w and throttle ("none" if nothing throttles the clock). Does not change
 * what it cannot read. */
void nvml_read(const struct nvml *n, struct phases *phases);

#endif
