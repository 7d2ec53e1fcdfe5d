#include "harness/records/bytes.h"

#include "harness/base/regular_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef MAXPOOL_HAVE_ZLIB
#include <zlib.h>
#endif

static const char suffix[] = ".gz";

static bool is_packed_name(const char *path)
{
    const size_t length = strlen(path), own = strlen(suffix);
    return length > own && strcmp(path + length - own, suffix) == 0;
}

bool bytes_are_packed(const char *path, char packed[PATH_MAX])
{
    const int length = snprintf(packed, PATH_MAX, "%s%s", path, suffix);
    return length > 0 && length < PATH_MAX && access(packed, F_OK) == 0;
}

bool bytes_are_there(const char *path)
{
    char packed[PATH_MAX];
    return access(path, F_OK) == 0 || bytes_are_packed(path, packed);
}

/* ---- unpacking ------------------------------------------------------------------------------ */

#ifdef MAXPOOL_HAVE_ZLIB

static enum status unpack(struct bytes *b, struct failure *f)
{
    b->unpacking = gzdopen(b->file, "rb");
    if (!b->unpacking)
        return fail(f, STATUS_RESOURCE, "%s: not enough memory to unpack it", b->path);
    return STATUS_OK;
}

static ssize_t read_packed(struct bytes *b, char *to, size_t size)
{
    const int got = gzread(b->unpacking, to, (unsigned)size);
    int code;
    gzerror(b->unpacking, &code);
    if (got > 0)
        return got;
    if (code == Z_BUF_ERROR)
        b->error = "it is packed and cut off";
    else if (code != Z_OK && code != Z_STREAM_END)
        b->error = "it is packed and damaged";
    return b->error ? -1 : 0;
}

static void close_packed(const struct bytes *b)
{
    gzclose(b->unpacking);
}

#else

static enum status unpack(struct bytes *b, struct failure *f)
{
    return fail(f, STATUS_UNAVAILABLE,
                "%s: this build cannot unpack it, it lacks zlib (Debian: zlib1g-dev); gunzip it",
                b->path);
}

static ssize_t read_packed(struct bytes *b, char *to, size_t size)
{
    (void)to;
    (void)size;
    b->error = "this build lacks zlib";
    return -1;
}

static void close_packed(const struct bytes *b)
{
    close(b->file);
}

#endif

/* ---- files ---------------------------------------------------------------------------------- */

/* Chooses between PATH and PATH.gz; status 2 if both exist. */
static enum status choose(struct bytes *b, const char *path, struct failure *f)
{
    char packed[PATH_MAX];
    const bool plain = access(path, F_OK) == 0 || errno != ENOENT;
    const bool also = bytes_are_packed(path, packed);
    if (plain && also)
        return fail(f, STATUS_USAGE, "%s: it and %s are both there; remove the one that is older",
                    path, packed);
    const int length = snprintf(b->path, sizeof b->path, "%s", also ? packed : path);
    if (length < 0 || (size_t)length >= sizeof b->path)
        return fail(f, STATUS_USAGE, "%.80s...: the name is too long", path);
    return STATUS_OK;
}

enum status bytes_open(struct bytes *b, const char *path, struct failure *f)
{
    int64_t size;
    b->unpacking = NULL;
    b->error = NULL;
    enum status status = choose(b, path, f);
    if (status == STATUS_OK)
        status = regular_open(b->path, &b->file, &size, f);
    if (status != STATUS_OK || !is_packed_name(b->path))
        return status;
    status = unpack(b, f);
    if (status != STATUS_OK)
        close(b->file);
    return status;
}

void bytes_close(struct bytes *b)
{
    if (b->unpacking)
        close_packed(b);
    else
        close(b->file);
}

ssize_t bytes_read(struct bytes *b, char *to, size_t size)
{
    ssize_t got;
    if (b->unpacking)
        return read_packed(b, to, size);
    do {
        got = read(b->file, to, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        b->error = strerror(errno);
    return got;
}
