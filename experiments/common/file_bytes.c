#include "experiments/common/file_bytes.h"

#include "harness/base/regular_file.h"

#include <stdlib.h>

enum status file_bytes(const char *path, size_t most, char **bytes, size_t *count,
                       struct failure *f)
{
    int64_t size;
    FILE *stream;
    *bytes = NULL;
    enum status status = regular_stream(path, &stream, &size, f);
    if (status != STATUS_OK)
        return status;
    *count = (size_t)size;
    if (*count > most)
        status = fail(f, STATUS_USAGE, "%s: larger than %zu bytes", path, most);
    else if (!(*bytes = malloc(*count + 1)))
        status = fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    else if (fread(*bytes, 1, *count, stream) != *count)
        status = fail(f, STATUS_USAGE, "%s: cannot be read", path);
    fclose(stream);
    if (status == STATUS_OK) {
        (*bytes)[*count] = '\0';
        return STATUS_OK;
    }
    free(*bytes);
    *bytes = NULL;
    return status;
}
