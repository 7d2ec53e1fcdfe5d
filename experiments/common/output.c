#include "experiments/common/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum status output_open(struct output *o, const char *path, struct failure *f)
{
    int length = snprintf(o->path, sizeof o->path, "%s", path);
    if (length < 0 || (size_t)length >= sizeof o->path)
        return fail(f, STATUS_OUTPUT, "%.200s...: the path is too long", path);
    snprintf(o->temporary, sizeof o->temporary, "%s.tmp", path);
    o->stream = fopen(o->temporary, "w");
    if (!o->stream)
        return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", path, strerror(errno));
    return STATUS_OK;
}

void output_abandon(struct output *o)
{
    if (!o->stream)
        return;
    fclose(o->stream);
    o->stream = NULL;
    unlink(o->temporary);
}

enum status output_close(struct output *o, struct failure *f)
{
    int good = fflush(o->stream) == 0 && !ferror(o->stream);
    int error = good ? 0 : errno;
    if (fclose(o->stream) != 0 && good) {
        good = 0;
        error = errno;
    }
    o->stream = NULL;
    if (good && rename(o->temporary, o->path) != 0) {
        good = 0;
        error = errno;
    }
    if (good)
        return STATUS_OK;
    unlink(o->temporary);
    return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", o->path, failure_of_write(error));
}
