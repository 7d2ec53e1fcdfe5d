#include "harness/base/whole_file.h"
#include "harness/image/sinks/sink_kind.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

struct sink_kind {
    const char *ending;
    sink_writer *write;
    const char *unavailable; /* why this build cannot write it */
    bool picture;            /* one image of one plane, or of three: red, green and blue */
    int64_t most_rows, most_cols;
};

/* One row per ending. */
static const struct sink_kind sink_kinds[] = {
    {".npy", sink_write_npy, NULL, false, INT64_MAX, INT64_MAX},
    {".txt", sink_write_text, NULL, false, INT64_MAX, INT64_MAX},
#ifdef MAXPOOL_HAVE_PNG
    {".png", sink_write_png, NULL, true, INT32_MAX, INT32_MAX},
#else
    {".png", NULL, "built without libpng (Debian: libpng-dev)", true, INT32_MAX, INT32_MAX},
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

static bool is_picture(const struct sink_map *m)
{
    return m->shape.planes == 1 || (m->shape.planes == 3 && m->batch <= 1);
}

static enum status check_kind(const char *path, const struct sink_map *m,
                              const struct sink_kind **kind, struct failure *f)
{
    const struct image_shape shape = m->shape;
    *kind = sink_kind_of(path);
    if (!*kind)
        return fail(f, STATUS_USAGE, "%s: the name of an output should end in .npy, .txt or .png",
                    path);
    if (!(*kind)->write)
        return fail(f, STATUS_UNAVAILABLE, "%s: cannot write %s: %s", path, (*kind)->ending,
                    (*kind)->unavailable);
    if ((*kind)->picture && !is_picture(m))
        return fail(f, STATUS_USAGE,
                    "%s: a %s holds one plane, or the red, green and blue of one image, and the "
                    "map has %" PRId64 " planes: write .npy or .txt",
                    path, (*kind)->ending, shape.planes);
    if (shape.rows > (*kind)->most_rows || shape.cols > (*kind)->most_cols)
        return fail(f, STATUS_USAGE,
                    "%s: %" PRId64 " x %" PRId64 " pixels are too many for a %s: write .npy", path,
                    shape.rows, shape.cols, (*kind)->ending);
    return STATUS_OK;
}

enum status sink_check(const char *path, struct image_shape shape, struct failure *f)
{
    return sink_check_batch(path, &(struct sink_map){shape, 0, NULL}, f);
}

enum status sink_check_batch(const char *path, const struct sink_map *m, struct failure *f)
{
    const struct sink_kind *kind = NULL;
    const enum status status = check_kind(path, m, &kind, f);
    return status == STATUS_OK ? whole_file_check(path, f) : status;
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
    struct whole_file file;
    if (note_size > 0)
        note[0] = '\0';
    enum status status = check_kind(path, m, &kind, f);
    if (status == STATUS_OK)
        status = whole_file_open(&file, path, f);
    if (status != STATUS_OK)
        return status;
    errno = EIO; /* for a writer that fails without setting errno */
    if (kind->write(file.stream, m->shape, m->batch, m->elements, note, note_size))
        return whole_file_close(&file, f);
    const int why = errno;
    whole_file_abandon(&file);
    return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", path, failure_of_write(why));
}
