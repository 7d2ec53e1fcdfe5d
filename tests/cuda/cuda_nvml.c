/* Tests the management library: whoever initialises it shuts it down, whether the device is found
 * or not. The fake one counts. */
#include "cuda/nvml.h"
#include "tests/support/unit_test.h"

#include <dlfcn.h>

/* The library is loaded here first, under the name by which nvml_open() asks for it; it stays, and
 * its count too. */
TEST(what_is_initialised_is_shut_down)
{
    void *library =
        dlopen(MAXPOOL_BINARY_DIR "/fake_nvml/libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    const int *users = dlsym(library, "fake_nvml_users");
    assert_non_null(users);
    assert_null(nvml_open("")); /* no such device */
    assert_int_equal(*users, 0);
    struct nvml *n = nvml_open("0000:01:00.0");
    assert_non_null(n);
    assert_int_equal(*users, 1);
    nvml_close(n);
    assert_int_equal(*users, 0);
    dlclose(library);
}
