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

/* Returns the seconds that a reading takes: the longest of some, when the device was opened; 0 for
 * NULL. */
double nvml_reading_s(const struct nvml *n);

/* True if the device computes so long at a time that NVML can be read meanwhile: 6 ms or more, and
 * twice as long as a reading takes. Otherwise the same work is computed again during a reading,
 * outside of all times. */
bool nvml_fits(const struct nvml *n, double seconds);

/* Appends what the summary says of readings and of other processes. */
void nvml_describe(const struct nvml *n, char *text, size_t size);

/* Sets clock_mhz, power_w and throttle ("none" if nothing throttles the clock). Does not change
 * what it cannot read. */
void nvml_read(const struct nvml *n, struct phases *phases);

/* True if such a text has a reason: it is neither "none" nor "". */
bool nvml_is_throttled(const char *throttle);

/* Adds the reasons of another device's text to those of `throttle`. "" adds nothing. */
void nvml_add_reasons(char *throttle, size_t size, const char *other);

#endif
