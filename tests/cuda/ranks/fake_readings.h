/* Readings of emulated GPUs by the fake management library (tests/cuda/fake_nvml.c), for tests
 * among ranks. */
#ifndef MAXPOOL_TEST_FAKE_READINGS_H
#define MAXPOOL_TEST_FAKE_READINGS_H

#include "harness/space/space.h"
#include "tests/support/unit_test.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdlib.h>

/* Loads the library under the name by which nvml_open() asks for it; each GPU has readings of its
 * own. */
static inline void *fake_nvml_begin(void)
{
    void *library =
        dlopen(MAXPOOL_BINARY_DIR "/fake_nvml/libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    setenv("FAKE_NVML_APART", "1", 1);
    return library;
}

static inline void fake_nvml_end(void *library)
{
    unsetenv("FAKE_NVML_APART");
    dlclose(library);
}

/* Fails unless the readings are those of the GPUs of so many ranks of one computer, one or two. */
static inline void assert_fake_readings(const struct phases *seen, int ranks)
{
    int devices = 0;
    assert_int_equal(cudaGetDeviceCount(&devices), cudaSuccess);
    const bool two = devices > 1 && ranks > 1;
    const double power_w = two ? 512.5 + 612.5 : 512.5;
    assert_true(devices <= 2);
    assert_int_equal(seen->clock_mhz, two ? 1134 : 1234);
    assert_true(seen->power_w > power_w - 0.01 && seen->power_w < power_w + 0.01);
    assert_string_equal(seen->throttle, two ? "hardware_thermal" : "none");
    assert_int_equal(seen->throttle_rank, two ? 1 : RECORD_NO_INT);
}

#endif
