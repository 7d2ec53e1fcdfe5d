#include "experiments/common/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* A name beside the file's that nobody else has: of another process, or left by one that was
 * killed. Returns the open file, or -1. */
static int open_beside(struct output *o)
{
    enum { TRIES = 1000 };
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && file < 0 && errno == EEXIST; i++) {
        snprintf(o->temporary, sizeof o->temporary, "%s.%ld-%d.tmp", o->path, (long)getpid(), i);
        file = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return file;
}

enum status output_open(struct output *o, const char *path, struct failure *f)
{
    o->stream = NULL;
    int length = snprintf(o->path, sizeof o->path, "%s", path);
    if (length < 0 || (size_t)length >= sizeof o->path)
        return fail(f, STATUS_OUTPUT, "%.200s...: the path is too long", path);
    const int file = open_beside(o);
    if (file >= 0 && !(o->stream = fdopen(file, "w"))) {
        close(file);
        unlink(o->temporary);
    }
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

/* Flushed and on the disk: a crash of the machine must not leave the new name without its bytes. */
static bool is_stored(FILE *stream)
{
    return fflush(stream) == 0 && !ferror(stream) && fsync(fileno(stream)) == 0;
}

enum status output_close(struct output *o, struct failure *f)
{
    bool good = is_stored(o->stream);
    int error = errno;
    if (fclose(o->stream) != 0 && good) {
        good = false;
        error = errno;
    }
    o->stream = NULL;
    if (good && rename(o->temporary, o->path) != 0) {
        good = false;
        error = errno;
    }
    if (good)
        return STATUS_OK;
    unlink(o->temporary);
    return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", o->path, failure_of_write(error));
}

enum status output_write(const char *path, const char *text, size_t length, struct failure *f)
{
    struct output o;
    enum status status = output_open(&o, path, f);
    if (status != STATUS_OK)
        return status;
    fwrite(text, 1, length, o.stream); /* a failure stays with the stream */
    return output_close(&o, f);
}
