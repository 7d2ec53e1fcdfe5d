#include "experiments/common/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status temporary_folder(char *path, size_t size, const char *name, struct failure *f)
{
    const char *where = getenv("TMPDIR");
    if (!where || !where[0] || strlen(where) + strlen(name) + sizeof "/-XXXXXX" > size)
        where = "/tmp";
    snprintf(path, size, "%s/%s-XXXXXX", where, name);
    if (mkdtemp(path))
        return STATUS_OK;
    const int reason = errno;
    path[0] = '\0';
    return fail(f, STATUS_OUTPUT, "no temporary folder in %s: %s", where, strerror(reason));
}
