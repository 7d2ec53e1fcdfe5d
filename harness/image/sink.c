#include "harness/base/signals.h"
#include "harness/image/sink_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct sink_kind {
    const char *ending;
    sink_writer *write;
    const char *unavailable; /* why this build cannot write it */
    int64_t most_planes, most_rows, most_cols;
};

/* One row per ending. */
static const struct sink_kind sink_kinds[] = {
    {".npy", sink_write_npy, NULL, INT64_MAX, INT64_MAX, INT64_MAX},
    {".txt", sink_write_text, NULL, INT64_MAX, INT64_MAX, INT64_MAX},
#ifdef MAXPOOL_HAVE_PNG
    {".png", sink_write_png, NULL, 1, INT32_MAX, INT32_MAX},
#else
    {".png", NULL, "built without libpng (Debian: libpng-dev)", 1, INT32_MAX, INT32_MAX},
#endif
};

static const struct sink_kind *sink_kind_of(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof sink_kinds / sizeof *sink_kinds; i++) {
        size_t tail = strlen(sink_kinds[i].ending);
        if (length > tail && strcasecmp(path + length - tail, sink_kinds[i].ending) == 0)
            return &sink_kinds[i];
    }
    return NULL;
}

static enum status cannot_write(const char *path, int why, struct failure *f)
{
    return fail(f, STATUS_OUTPUT, "%s: cannot write it: %s", path, failure_of_write(why));
}

/* Where a map goes: the file to be replaced, and the temporary file beside it. */
struct target {
    const char *path; /* as the user gave it */
    char file[PATH_MAX];
    char temporary[PATH_MAX];
    bool direct; /* no regular file: written in place */
    mode_t mode; /* of the file that is replaced, or 0 */
};

/* Follows links, so that what they name is replaced and not the link. */
static enum status resolve(struct target *t, const char *path, struct failure *f)
{
    *t = (struct target){.path = path};
    struct stat about;
    if (stat(path, &about) == 0) {
        if (S_ISDIR(about.st_mode))
            return cannot_write(path, EISDIR, f);
        t->direct = !S_ISREG(about.st_mode);
        t->mode = about.st_mode & 07777;
        if (access(path, W_OK) != 0 || !realpath(path, t->file))
            return cannot_write(path, errno, f);
    } else if (errno != ENOENT) {
        return cannot_write(path, errno, f);
    } else if (snprintf(t->file, sizeof t->file, "%s", path) >= (int)sizeof t->file) {
        return cannot_write(path, ENAMETOOLONG, f);
    }
    return STATUS_OK;
}

/* Bytes of the directory part of a path, the last slash included. */
static int directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash + 1 - path) : 0;
}

/* Makes the temporary file: new, in the target's directory, with the permissions the target has or
 * would get. Returns its descriptor, or -1 with errno. */
static int make_temporary(struct target *t)
{
    enum { TRIES = 100 };
    int fd = -1;
    for (int i = 0; fd < 0 && i < TRIES; i++) {
        int length = snprintf(t->temporary, sizeof t->temporary, "%.*s.maxpool-%ld-%d.tmp",
                              directory_length(t->file), t->file, (long)getpid(), i);
        if (length >= (int)sizeof t->temporary) {
            errno = ENAMETOOLONG;
            return -1;
        }
        fd = open(t->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    if (fd >= 0 && t->mode)
        fchmod(fd, t->mode);
    return fd;
}

static enum status check_kind(const char *path, struct image_shape shape,
                              const struct sink_kind **kind, struct failure *f)
{
    *kind = sink_kind_of(path);
    if (!*kind)
        return fail(f, STATUS_USAGE, "%s: the name of an output should end in .npy, .txt or .png",
                    path);
    if (!(*kind)->write)
        return fail(f, STATUS_UNAVAILABLE, "%s: cannot write %s: %s", path, (*kind)->ending,
                    (*kind)->unavailable);
    if (shape.planes > (*kind)->most_planes)
        return fail(f, STATUS_USAGE,
                    "%s: a %s holds one plane, and the map has %" PRId64 ": write .npy or .txt",
                    path, (*kind)->ending, shape.planes);
    if (shape.rows > (*kind)->most_rows || shape.cols > (*kind)->most_cols)
        return fail(f, STATUS_USAGE,
                    "%s: %" PRId64 " x %" PRId64 " cells are too many for a %s: write .npy", path,
                    shape.rows, shape.cols, (*kind)->ending);
    return STATUS_OK;
}

enum status sink_check(const char *path, struct image_shape shape, struct failure *f)
{
    const struct sink_kind *kind = NULL;
    struct target t;
    enum status status = check_kind(path, shape, &kind, f);
    if (status == STATUS_OK)
        status = resolve(&t, path, f);
    if (status != STATUS_OK || t.direct)
        return status;
    int fd = make_temporary(&t);
    if (fd < 0)
        return cannot_write(path, errno, f);
    close(fd);
    unlink(t.temporary);
    return STATUS_OK;
}

/* Puts the stream's data on the disk and closes it. False with errno. */
static bool settle(FILE *stream, bool sync)
{
    bool good = fflush(stream) == 0 && !ferror(stream) && (!sync || fsync(fileno(stream)) == 0);
    int why = errno;
    if (fclose(stream) != 0 && good) {
        good = false;
        why = errno;
    }
    errno = why;
    return good;
}

/* Makes a rename last; where the file system cannot, the map is still there. */
static void sync_directory(const char *path)
{
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%.*s.", directory_length(path), path);
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* Opens, writes and closes. False with errno. */
static bool write_to(int fd, const struct sink_kind *kind, bool sync, const struct sink_map *m,
                     char *note, size_t note_size)
{
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!stream) {
        int why = errno;
        if (fd >= 0)
            close(fd);
        errno = why;
        return false;
    }
    errno = EIO; /* should a writer fail and not tell why */
    bool written = kind->write(stream, m->shape, m->batch, m->cells, note, note_size);
    int why = errno;
    bool settled = settle(stream, sync && written);
    if (!written)
        errno = why;
    return written && settled;
}

enum status sink_write(const char *path, struct image_shape shape, const float *map, char *note,
                       size_t note_size, struct failure *f)
{
    return sink_write_batch(path, &(struct sink_map){shape, 0, map}, note, note_size, f);
}

enum status sink_write_batch(const char *path, const struct sink_map *m, char *note,
                             size_t note_size, struct failure *f)
{
    const struct sink_kind *kind = NULL;
    struct target t;
    if (note_size > 0)
        note[0] = '\0';
    enum status status = check_kind(path, m->shape, &kind, f);
    if (status == STATUS_OK)
        status = resolve(&t, path, f);
    if (status != STATUS_OK)
        return status;
    if (t.direct)
        return write_to(open(t.file, O_WRONLY | O_CLOEXEC), kind, false, m, note, note_size)
                   ? STATUS_OK
                   : cannot_write(path, errno, f);
    int fd = make_temporary(&t);
    if (fd < 0)
        return cannot_write(path, errno, f);
    signals_unfinished(t.temporary);
    int why = 0;
    if (!write_to(fd, kind, true, m, note, note_size) || rename(t.temporary, t.file) != 0) {
        why = errno;
        unlink(t.temporary);
    }
    signals_unfinished(NULL);
    if (why != 0)
        return cannot_write(path, why, f);
    sync_directory(t.file);
    return STATUS_OK;
}
