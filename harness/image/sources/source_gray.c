/* A colour picture as one gray plane, made row by row: source_gray(). */
#include "harness/image/sources/source_kind.h"

#include "harness/image/luma.h"
#include "harness/image/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 3 };

struct source_of_gray {
    struct source base;
    struct source *colours; /* three planes: red, green and blue */
    float *row;             /* a row of each */
};

/* Reads a row of the range in all three planes, which the file unpacks together. */
static enum status read_colours(const struct source_of_gray *g, const struct image_range *range,
                                int64_t row, struct failure *f)
{
    struct image_range one = {.row = row, .rows = 1, .col = range->col, .cols = range->cols};
    enum status status = STATUS_OK;
    for (; status == STATUS_OK && one.plane < COLOURS; one.plane++)
        status =
            source_read(g->colours, &one, g->row + one.plane * range->cols, range->cols, NULL, f);
    return status;
}

static enum status read_gray(struct source *s, const struct image_range *range, float *dst,
                             int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    struct source_of_gray *g = (struct source_of_gray *)s;
    enum status status = STATUS_OK;
    g->colours->limit_s = s->limit_s;
    g->colours->limit_from = s->limit_from;
    for (int64_t r = 0; status == STATUS_OK && r < range->rows; r++) {
        float *out = dst + r * dst_stride;
        status = read_colours(g, range, range->row + r, f);
        for (int64_t i = 0; status == STATUS_OK && i < range->cols; i++)
            out[i] = (float)rint(luma_of((double)g->row[i], (double)g->row[range->cols + i],
                                         (double)g->row[2 * range->cols + i]));
        if (status == STATUS_OK)
            numbers_see(out, range->cols, facts);
    }
    memcpy(s->note, g->colours->note, sizeof s->note);
    return status;
}

static void close_gray(struct source *s)
{
    struct source_of_gray *g = (struct source_of_gray *)s;
    source_close(g->colours);
    free(g->row);
}

static const struct source_operations operations = {read_gray, close_gray};

/* What is known about the file holds for its gray plane too. */
static void take_facts(struct source *gray, const struct source *colours)
{
    gray->packed_bytes = colours->packed_bytes;
    gray->unpacked_elements = source_unpacked_elements(colours);
    gray->unpacked_bytes = source_unpacked_bytes(colours);
    gray->whole_bytes = colours->whole_bytes;
    gray->white = colours->white;
    memcpy(gray->note, colours->note, sizeof gray->note);
}

enum status source_gray(struct source **s, struct failure *f)
{
    const struct image_shape shape = source_shape(*s);
    if (!(source_white(*s) > 0.0))
        return fail(f, STATUS_USAGE, "--gray: %s is no picture (.png, .jpg)", source_name(*s));
    if (shape.planes == 1)
        return STATUS_OK;
    struct source *made = NULL;
    float *row = malloc((size_t)shape.cols * COLOURS * sizeof *row);
    enum status status =
        row ? STATUS_OK
            : fail(f, STATUS_RESOURCE, "%s: no memory for a row of it", source_name(*s));
    if (status == STATUS_OK)
        status = source_new(&made, sizeof(struct source_of_gray), &operations, source_name(*s), f);
    if (status != STATUS_OK) {
        free(row);
        return status;
    }
    struct source_of_gray *g = (struct source_of_gray *)made;
    g->colours = *s;
    g->row = row;
    take_facts(made, *s);
    *s = made;
    return source_set_shape(made, (struct image_shape){1, shape.rows, shape.cols}, f);
}
