/* Any bytes as an experiment definition: it is read, or refused with the file's name. */
#include "experiments/definition/definition.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void remove_file(void)
{
    unlink(path);
}

/* Writes the data to a file with a name that is unique to this process; the experiment is named
 * after it. */
static void fill(const uint8_t *data, size_t size)
{
    if (!path[0]) {
        snprintf(path, sizeof path, "/tmp/maxpool-fuzz-%ld.ini", (long)getpid());
        atexit(remove_file);
    }
    FILE *file = fopen(path, "wb");
    if (!file || (size > 0 && fwrite(data, 1, size, file) != size) || fclose(file) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct definition d;
    struct failure f = {0};
    fill(data, size);
    enum status status = definition_read(&d, path, (enum scale)(size % SCALES), 6, &f);
    if (status == STATUS_OK) {
        if (d.launches < 1 || d.sweep_count == 0 || !*d.title || !d.question)
            abort();
        for (size_t i = 0; i < d.sweep_count; i++)
            for (size_t j = 0; j < d.sweeps[i].axis_count; j++)
                if (d.sweeps[i].axes[j].values.count == 0)
                    abort();
        definition_release(&d);
    } else if (status != STATUS_USAGE || status != f.status ||
               strncmp(f.message, path, strlen(path)) != 0) {
        abort();
    }
    return 0;
}
