/* Slices of a volume: planes x rows x columns are its axes z, y and x. A slice across x has the
 * planes as rows and the rows as columns; one across y the planes as rows; one across z is a plane.
 */
#include "harness/image/sources/source_kind.h"

#include "harness/machine/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The slices [first, first + count) along an axis, each rows x cols. */
struct slices {
    enum image_axis axis;
    int64_t first, count, rows, cols;
};

static struct slices slices_of(struct image_shape s, enum image_axis axis)
{
    return axis == AXIS_X   ? (struct slices){axis, 0, s.cols, s.planes, s.rows}
           : axis == AXIS_Y ? (struct slices){axis, 0, s.rows, s.planes, s.cols}
                            : (struct slices){axis, 0, s.planes, s.rows, s.cols};
}

/* Copies what the slices have of plane z, rows x cols values. */
static void take_plane(const struct slices *k, int64_t z, struct image_shape s, const float *plane,
                       float *values)
{
    for (int64_t i = 0; i < k->count; i++) {
        float *to = values + i * k->rows * k->cols + z * k->cols;
        if (k->axis == AXIS_Y)
            memcpy(to, plane + (k->first + i) * s.cols, (size_t)s.cols * sizeof *to);
        for (int64_t y = 0; k->axis == AXIS_X && y < s.rows; y++)
            to[y] = plane[y * s.cols + k->first + i];
    }
}

/* Reads the volume plane by plane, in ascending order; across z only the planes that are wanted. */
static enum status read_slices(struct source *s, const struct slices *k, float *values,
                               struct failure *f)
{
    const struct image_shape shape = source_shape(s);
    const bool planes = k->axis == AXIS_Z;
    const int64_t elements = shape.rows * shape.cols;
    const int64_t first = planes ? k->first : 0, count = planes ? k->count : shape.planes;
    float *plane = NULL;
    enum status status =
        planes ? STATUS_OK
               : memory_allocate((void **)&plane, memory_multiply((size_t)elements, sizeof *plane),
                                 "a plane of the volume", f);
    for (int64_t z = first; status == STATUS_OK && z < first + count; z++) {
        const struct image_range range = {z, 0, shape.rows, 0, shape.cols};
        status = source_read(s, &range, planes ? values + (z - first) * elements : plane,
                             shape.cols, NULL, f);
        if (status == STATUS_OK && !planes)
            take_plane(k, z, shape, plane, values);
    }
    free(plane);
    return status;
}

enum status source_slice(struct source **s, enum image_axis axis, int64_t slice, struct failure *f)
{
    struct slices k = slices_of(source_shape(*s), axis);
    float *values = NULL;
    if (slice >= k.count)
        return fail(f, STATUS_USAGE,
                    "--plane %" PRId64 ": %s has %" PRId64 " slices across %c, 0 to %" PRId64,
                    slice, source_name(*s), k.count, "xyz"[axis], k.count - 1);
    if (slice >= 0) {
        k.first = slice;
        k.count = 1;
    }
    enum status status = memory_allocate(
        (void **)&values, memory_multiply((size_t)(k.count * k.rows * k.cols), sizeof *values),
        "slices", f);
    if (status == STATUS_OK)
        status = read_slices(*s, &k, values, f);
    if (status != STATUS_OK) {
        free(values);
        return status;
    }
    return source_replace(s, (struct image_shape){k.count, k.rows, k.cols}, values, f);
}
