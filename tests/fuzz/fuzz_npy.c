/* Any bytes as a .npy file. */
#include "harness/image/sources/source_kind.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("fuzz.npy", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    struct source *s = NULL;
    struct failure f = {STATUS_OK, ""};
    enum status status = source_open_npy(&s, path, &f);
    fuzz_read(s, status, &f);
    return 0;
}
