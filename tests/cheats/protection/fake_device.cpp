// The device functions of a kernel (labs/device.cu), without a GPU: arrays of the device are in the
// host's memory. A worker of `study lab` takes a library with them for a kernel on a GPU.
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace
{
enum { ARRAYS = 3 };
void *arrays[ARRAYS];
std::size_t lengths[ARRAYS];
} // namespace

extern "C" const char *lab_device_begin(const std::size_t *bytes)
{
    for (int i = 0; i < ARRAYS; i++)
        arrays[i] = std::malloc(lengths[i] = bytes[i]);
    return nullptr;
}

extern "C" void *lab_device_array(int which)
{
    return arrays[which];
}

extern "C" const char *lab_device_give(const void *const *host)
{
    for (int i = 0; i < ARRAYS; i++)
        std::memcpy(arrays[i], host[i], lengths[i]);
    return nullptr;
}

extern "C" const char *lab_device_wait()
{
    return nullptr;
}

extern "C" const char *lab_device_take(void *map)
{
    std::memcpy(map, arrays[ARRAYS - 1], lengths[ARRAYS - 1]);
    return nullptr;
}
