#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Larger images are opened but not read, which would waste the fuzzer's time. */
static const int64_t most_elements = 1 << 16;

static enum status read_plane(struct source *s, int64_t plane, bool by_rows, float *dst)
{
    struct image_shape shape = source_shape(s);
    struct failure f = {STATUS_OK, ""};
    int64_t rows = by_rows ? 1 : shape.rows;
    for (int64_t row = 0; row < shape.rows; row += rows) {
        struct image_range range = {plane, row, rows, 0, shape.cols};
        enum status status = source_read(s, &range, dst + row * shape.cols, shape.cols, NULL, &f);
        require(status == f.status);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static void compare_plane(struct source *s, int64_t plane, float *whole, float *rows,
                          size_t elements)
{
    enum status status = read_plane(s, plane, false, whole);
    require(read_plane(s, plane, true, rows) == status);
    require(status == STATUS_OK || status == STATUS_USAGE);
    if (status != STATUS_OK)
        return;
    require(memcmp(whole, rows, elements * sizeof *whole) == 0);
    for (size_t i = 0; i < elements; i++)
        require(isfinite(whole[i]));
}

void fuzz_read(struct source *s, enum status status, const struct failure *f)
{
    require(status == f->status && (status == STATUS_OK) == (s != NULL));
    if (status != STATUS_OK) {
        require(status == STATUS_USAGE || status == STATUS_RESOURCE);
        require(f->message[0] != '\0' && !strchr(f->message, '\n'));
        return;
    }
    struct image_shape shape = source_shape(s);
    require(shape.planes >= 1 && shape.rows >= 1 && shape.cols >= 1);
    if (shape.rows <= most_elements && shape.cols <= most_elements / shape.rows &&
        shape.planes <= most_elements) {
        size_t elements = (size_t)(shape.rows * shape.cols);
        float *whole = calloc(2 * elements, sizeof *whole);
        require(whole != NULL);
        compare_plane(s, 0, whole, whole + elements, elements);
        compare_plane(s, shape.planes - 1, whole, whole + elements, elements);
        free(whole);
    }
    source_close(s);
}
