/* The device's clock and the causes that throttle it, by NVIDIA's management library. The library
 * comes with the driver and is loaded when the program runs. */
#ifndef MAXPOOL_CUDA_NVML_H
#define MAXPOOL_CUDA_NVML_H

#include "harness/space/space.h"

struct nvml;

/* The device on that PCI bus. NULL where the library or the device cannot be found: then times go
 * without clocks. */
struct nvml *nvml_open(const char *bus);
void nvml_close(struct nvml *n); /* NULL is fine */

/* Where the device computes for so long at a time, it is asked meanwhile: the answer takes less.
 * Where it computes for less, the same is computed once more for it, outside all times. */
#define NVML_LONG_S 6e-3

/* Sets clock_mhz, power_w and throttle ("none" where nothing holds the clock back); leaves what it
 * cannot show as it is. */
void nvml_read(const struct nvml *n, struct phases *phases);

#endif
