/* Any bytes as a .safetensors file: refused with a message, or every float32 tensor can be read. */
#include "networks/safetensors.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void read_all(const struct safetensors *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct safetensors_entry *e = &s->entries[i];
        struct failure f = {0};
        float *values = malloc((size_t)(e->end - e->begin) + 1);
        if (!values)
            abort();
        const enum status status = safetensors_read(s, e, values, NULL, &f);
        if (status != STATUS_OK && status != STATUS_USAGE)
            abort();
        if (safetensors_find(s, e->name) != e)
            abort();
        free(values);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    struct safetensors s;
    struct failure f = {0};
    if (fd < 0) {
        fd = memfd_create("fuzz.safetensors", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    const enum status status = safetensors_open(&s, path, &f);
    if (status == STATUS_OK)
        read_all(&s);
    else if (status != STATUS_USAGE || !f.message[0])
        abort();
    safetensors_close(&s);
    return 0;
}
