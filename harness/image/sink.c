#include "harness/base/regular_file.h"
#include "harness/base/whole_file.h"
#include "harness/image/sinks/sink_kind.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct sink_kind {
    const char *ending;
    sink_writer *write;
    sink_plane_writer *write_plane; /* of a numbered series; NULL: there is none */
    const char *unavailable;        /* why this build cannot write it */
    bool picture;                   /* one image of one plane, or of three: red, green and blue */
    int64_t most_rows, most_cols;
};

/* One row per ending. */
static const struct sink_kind sink_kinds[] = {
    {".npy", sink_write_npy, NULL, NULL, false, INT64_MAX, INT64_MAX},
    {".txt", sink_write_text, NULL, NULL, false, INT64_MAX, INT64_MAX},
#ifdef MAXPOOL_HAVE_PNG
    {".png", sink_write_png, sink_write_png_plane, NULL, true, INT32_MAX, INT32_MAX},
#else
    {".png", NULL, NULL, "built without libpng (Debian: libpng-dev)", true, INT32_MAX, INT32_MAX},
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

/* Returns the place of the number in the name of a series, %d or %03d, and its length and digits;
 * NULL: the name is of one file. */
static const char *number_in(const char *path, int *length, int *digits)
{
    const char *at = strchr(path, '%');
    *digits = 0;
    *length = 2;
    if (at && at[1] == '0' && at[2] >= '1' && at[2] <= '9') {
        *digits = at[2] - '0';
        *length = 4;
    }
    return at && at[*length - 1] == 'd' && !strchr(at + 1, '%') ? at : NULL;
}

/* The file of a plane. */
struct series_name {
    char text[PATH_MAX];
};

static struct series_name name_of_plane(const char *path, int64_t plane)
{
    struct series_name name;
    int length, digits;
    const char *at = number_in(path, &length, &digits);
    if (at)
        snprintf(name.text, sizeof name.text, "%.*s%0*" PRId64 "%s", (int)(at - path), path, digits,
                 plane, at + length);
    else
        snprintf(name.text, sizeof name.text, "%s", path);
    return name;
}

/* True if the planes become files of their own. */
static bool is_series(const struct sink_kind *kind, const char *path)
{
    int length, digits;
    return kind->write_plane && number_in(path, &length, &digits);
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
    if ((*kind)->picture && !is_picture(m) && !is_series(*kind, path))
        return fail(f, STATUS_USAGE,
                    "%s: a %s holds one plane, or the red, green and blue of one image, and the "
                    "map has %" PRId64 " planes: write .npy or .txt, or a series such as "
                    "plane_%%03d.png",
                    path, (*kind)->ending, shape.planes);
    if (shape.rows > (*kind)->most_rows || shape.cols > (*kind)->most_cols)
        return fail(f, STATUS_USAGE,
                    "%s: %" PRId64 " x %" PRId64 " pixels are too many for a %s: write .npy", path,
                    shape.rows, shape.cols, (*kind)->ending);
    return STATUS_OK;
}

bool sink_replaces(const char *path, const struct sink_map *m, const char *file)
{
    const struct sink_kind *kind = sink_kind_of(path);
    if (!kind || !is_series(kind, path))
        return regular_same(path, file);
    for (int64_t i = 0; i < m->shape.planes; i++)
        if (regular_same(name_of_plane(path, i).text, file))
            return true;
    return false;
}

enum status sink_check(const char *path, const struct sink_map *m, struct failure *f)
{
    const struct sink_kind *kind = NULL;
    const enum status status = check_kind(path, m, &kind, f);
    if (status != STATUS_OK)
        return status;
    return whole_file_check(is_series(kind, path) ? name_of_plane(path, 0).text : path, f);
}

enum status sink_write(const char *path, struct image_shape shape, const float *map, char *note,
                       size_t note_size, struct failure *f)
{
    return sink_write_batch(path, &(struct sink_map){shape, 0, map}, note, note_size, f);
}

/* Writes the map, or one plane of it, as one file. */
static enum status write_file(const struct sink_kind *kind, const char *path,
                              const struct sink_map *m, int64_t plane, char *note, size_t note_size,
                              struct failure *f)
{
    struct whole_file file;
    const enum status status = whole_file_open(&file, path, f);
    if (status != STATUS_OK)
        return status;
    errno = EIO; /* for a writer that fails without setting errno */
    if (plane < 0 ? kind->write(file.stream, m->shape, m->batch, m->elements, note, note_size)
                  : kind->write_plane(file.stream, m->shape, m->elements, plane, note, note_size))
        return whole_file_close(&file, f);
    const int why = errno;
    whole_file_abandon(&file);
    return fail(f, STATUS_OUTPUT, "%s: cannot be written: %s", path, failure_of_write(why));
}

enum status sink_write_batch(const char *path, const struct sink_map *m, char *note,
                             size_t note_size, struct failure *f)
{
    const struct sink_kind *kind = NULL;
    if (note_size > 0)
        note[0] = '\0';
    enum status status = check_kind(path, m, &kind, f);
    if (status != STATUS_OK || !is_series(kind, path))
        return status == STATUS_OK ? write_file(kind, path, m, -1, note, note_size, f) : status;
    for (int64_t i = 0; i < m->shape.planes && status == STATUS_OK; i++)
        status = write_file(kind, name_of_plane(path, i).text, m, i, note, note_size, f);
    return status;
}
