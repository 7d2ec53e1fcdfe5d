#include "harness/records/table.h"

#include "harness/base/clock.h"
#include "harness/records/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const double sync_every_s = 1.0;

struct table_writer {
    const struct schema *schema;
    char *path;
    int file;
    bool regular;
    bool unsynced;    /* rows written since synced_at */
    double synced_at; /* clock_now() of the last fsync */
    double row_at;    /* clock_now() of the last row */
};

static enum status cannot_write(const struct table_writer *w, struct failure *f)
{
    return fail(f, failure_status_of(errno, STATUS_OUTPUT), "%s: cannot be written: %s", w->path,
                failure_of_write(errno));
}

static int lock(const struct table_writer *w, int operation)
{
    int result;
    do {
        result = w->regular ? flock(w->file, operation) : 0;
    } while (result != 0 && errno == EINTR);
    return result;
}

/* Usually one write(2). If fewer bytes were written, tries the rest, so that errno gives the cause:
 * a full disk, a quota, or a limit on file sizes. Returns -1 with errno. */
static int write_whole(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(file, bytes, length);
        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

/* Writes a line at the end; after an error, cuts off the part that was written. */
static enum status write_line(const struct table_writer *w, const char *line, size_t length,
                              off_t end, struct failure *f)
{
    if (write_whole(w->file, line, length) == 0)
        return STATUS_OK;
    enum status status = cannot_write(w, f);
    if (w->regular && ftruncate(w->file, end) != 0)
        return status; /* readers and the next writer ignore the torn line */
    return status;
}

/* Returns the offset just after the last newline before `end`, 0 if there is none, -1 with
 * errno. */
static off_t after_last_newline(int file, off_t end)
{
    char chunk[4096];
    while (end > 0) {
        off_t begin = end > (off_t)sizeof chunk ? end - (off_t)sizeof chunk : 0;
        ssize_t got = pread(file, chunk, (size_t)(end - begin), begin);
        if (got != end - begin)
            return -1;
        const char *newline = memrchr(chunk, '\n', (size_t)got);
        if (newline)
            return begin + (newline - chunk) + 1;
        end = begin;
    }
    return 0;
}

/* Cuts off what follows the last newline: the row of a process that died while writing. Sets *end
 * to the remaining size. */
static enum status cut_torn_line(const struct table_writer *w, off_t *end, bool *torn,
                                 struct failure *f)
{
    struct stat about;
    if (fstat(w->file, &about) != 0)
        return cannot_write(w, f);
    *end = after_last_newline(w->file, about.st_size);
    if (*end < 0)
        return cannot_write(w, f);
    if (*end == about.st_size)
        return STATUS_OK;
    if (torn)
        *torn = true;
    return ftruncate(w->file, *end) == 0 ? STATUS_OK : cannot_write(w, f);
}

/* Reports the first column at which two headers differ; `theirs` is the line found in the file. */
static enum status other_header(const struct table_writer *w, const char *theirs, size_t length,
                                struct failure *f)
{
    size_t at = 0;
    for (size_t i = 0; i < w->schema->count; i++) {
        const char *name = w->schema->columns[i].name;
        const char *comma = at < length ? memchr(theirs + at, ',', length - at) : NULL;
        size_t width = at < length ? (comma ? (size_t)(comma - (theirs + at)) : length - at) : 0;
        if (width != strlen(name) || memcmp(theirs + at, name, width) != 0)
            return fail(f, STATUS_USAGE,
                        "%s: holds rows of another kind: its column %zu is '%.*s', ours '%s'; "
                        "choose another file",
                        w->path, i + 1, width > 80 ? 80 : (int)width, width ? theirs + at : "",
                        name);
        at += width + 1;
    }
    return fail(f, STATUS_USAGE,
                "%s: holds rows of another kind: it has more columns than our %zu; choose another "
                "file",
                w->path, w->schema->count);
}

/* The file must begin with our header. If it ends within that header, its creator died, and it is
 * started again; any other file is left unchanged. */
static enum status check_header(const struct table_writer *w, bool *torn, struct failure *f)
{
    char ours[TABLE_LINE_MAX], theirs[TABLE_LINE_MAX];
    size_t length = table_format_header(w->schema, ours);
    ssize_t got = pread(w->file, theirs, sizeof theirs, 0);
    if (got < 0)
        return cannot_write(w, f);
    size_t common = (size_t)got < length ? (size_t)got : length;
    if (memcmp(ours, theirs, common) != 0) {
        const char *newline = memchr(theirs, '\n', (size_t)got);
        return other_header(w, theirs, newline ? (size_t)(newline - theirs) : (size_t)got, f);
    }
    off_t end;
    enum status status = cut_torn_line(w, &end, torn, f);
    if (status == STATUS_OK && end == 0)
        status = write_line(w, ours, length, 0, f);
    return status;
}

/* A new file is durable only once its folder is synced too. Best effort: not every file system can
 * do it. */
static void sync_folder(const char *path)
{
    char *copy = strdup(path);
    int folder = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    free(copy);
}

static enum status begin(struct table_writer *w, bool *torn, struct failure *f)
{
    if (!w->regular) {
        char line[TABLE_LINE_MAX];
        return write_line(w, line, table_format_header(w->schema, line), 0, f);
    }
    if (lock(w, LOCK_EX) != 0)
        return cannot_write(w, f);
    enum status status = check_header(w, torn, f);
    if (status == STATUS_OK && fsync(w->file) != 0)
        status = cannot_write(w, f);
    lock(w, LOCK_UN);
    if (status == STATUS_OK)
        sync_folder(w->path);
    return status;
}

static void release(struct table_writer *w)
{
    if (w->file >= 0)
        close(w->file);
    free(w->path);
    free(w);
}

enum status table_writer_open(struct table_writer **out, const struct schema *schema,
                              const char *path, bool *torn, struct failure *f)
{
    char packed[PATH_MAX];
    *out = NULL;
    if (torn)
        *torn = false;
    if (bytes_are_packed(path, packed))
        return fail(f, STATUS_USAGE,
                    "%s: is packed, and nothing is appended to it; gunzip it, or choose another "
                    "place",
                    packed);
    struct table_writer *w = calloc(1, sizeof *w);
    char *copy = strdup(path);
    if (!w || !copy) {
        free(w);
        free(copy);
        return fail(f, STATUS_RESOURCE, "%s: not enough memory", path);
    }
    struct stat about;
    bool exists = stat(path, &about) == 0;
    w->schema = schema;
    w->path = copy;
    w->regular = !exists || S_ISREG(about.st_mode);
    /* a pipe is opened for writing only: as a reader of it, this process would not notice that the
     * real reader has left */
    int access = w->regular ? O_RDWR | O_CREAT : O_WRONLY;
    w->file = open(path, access | O_APPEND | O_CLOEXEC, 0666);
    enum status status = w->file < 0 ? cannot_write(w, f) : begin(w, torn, f);
    if (status != STATUS_OK) {
        release(w);
        return status;
    }
    w->synced_at = w->row_at = clock_now();
    *out = w;
    return STATUS_OK;
}

static enum status sync_rows(struct table_writer *w, struct failure *f)
{
    if (w->unsynced && fsync(w->file) != 0)
        return cannot_write(w, f);
    w->unsynced = false;
    w->synced_at = clock_now();
    return STATUS_OK;
}

/* Syncs, unless the next row, expected after the same gap as this one, comes in time to do it. */
static enum status sync_when_due(struct table_writer *w, struct failure *f)
{
    double now = clock_now();
    double gap = now - w->row_at;
    w->row_at = now;
    if (now + gap - w->synced_at < sync_every_s)
        return STATUS_OK;
    return sync_rows(w, f);
}

enum status table_append(struct table_writer *w, const void *row, struct failure *f)
{
    char line[TABLE_LINE_MAX];
    size_t length = table_format(w->schema, row, line);
    if (!w->regular)
        return write_line(w, line, length, 0, f);
    if (lock(w, LOCK_EX) != 0)
        return cannot_write(w, f);
    off_t end;
    enum status status = cut_torn_line(w, &end, NULL, f); /* a row of another process that died */
    if (status == STATUS_OK)
        status = write_line(w, line, length, end, f);
    lock(w, LOCK_UN);
    if (status != STATUS_OK)
        return status;
    w->unsynced = true;
    return sync_when_due(w, f);
}

enum status table_writer_close(struct table_writer *w, struct failure *f)
{
    if (!w)
        return STATUS_OK;
    enum status status = w->regular ? sync_rows(w, f) : STATUS_OK;
    int file = w->file;
    w->file = -1;
    if (close(file) != 0 && status == STATUS_OK)
        status = cannot_write(w, f);
    release(w);
    return status;
}
