/* The correct values: computes the oracle's expectations for a range of outputs, from the
 * source, and reports an output that differs from them. */
#include "harness/machine/memory.h"
#include "harness/point/verify/verifier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEGMENT = 4096,      /* outputs computed at a time */
    BAND_BYTES = 2 << 20 /* of the image held at a time, but at least one output's elements */
};

/* ---- the band -------------------------------------------------------------------------------- */

static enum status band_reserve(struct oracle_band *b, const struct region *want, struct failure *f)
{
    const size_t rows = memory_multiply((size_t)want->planes, (size_t)want->rows);
    const size_t elements = memory_multiply(rows, (size_t)want->cols);
    if (elements <= b->capacity)
        return STATUS_OK;
    const size_t bytes = memory_multiply(elements, sizeof(float));
    enum status status = memory_check(bytes, "the oracle's part of the image", f);
    float *grown = status == STATUS_OK ? realloc(b->data, bytes) : NULL;
    if (!grown)
        return fail(f, STATUS_RESOURCE, "no memory for the oracle's part of the image");
    b->data = grown;
    b->capacity = elements;
    return STATUS_OK;
}

/* Moves the rows of one plane that the band already holds to where they are wanted, and returns
 * their number. */
static int64_t band_keep(struct oracle_band *b, const struct region *want)
{
    const struct region *h = &b->loaded;
    if (h->planes != 1 || want->planes != 1 || h->plane != want->plane || h->col != want->col ||
        h->cols != want->cols || want->row < h->row || want->row >= h->row + h->rows)
        return 0;
    const int64_t rest = h->row + h->rows - want->row;
    const int64_t kept = rest < want->rows ? rest : want->rows;
    memmove(b->data, b->data + (want->row - h->row) * h->cols,
            (size_t)(kept * h->cols) * sizeof(float));
    return kept;
}

/* Loads the wanted part into the band. Rows that it already holds are kept, so that walking down a
 * plane reads each row once and reads sources in order. */
static enum status band_load(struct oracle_band *b, struct source *source,
                             const struct region *want, struct failure *f)
{
    enum status status = band_reserve(b, want, f);
    if (status != STATUS_OK)
        return status;
    const int64_t kept = band_keep(b, want);
    struct image_range missing = {want->plane, want->row + kept, want->rows - kept, want->col,
                                  want->cols};
    float *to = b->data + kept * want->cols;
    for (int64_t i = 0; status == STATUS_OK && i < want->planes; i++, missing.plane++) {
        if (missing.rows > 0 && missing.cols > 0)
            status = source_read(source, &missing, to, want->cols, NULL, f);
        to += want->rows * want->cols;
    }
    b->loaded = *want;
    return status;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* ---- the correct values ---------------------------------------------------------------------- */

/* Runs the oracle on one segment of one map row. */
enum status expect_segment(const struct verifier *v, struct oracle_band *band, int64_t index,
                           int64_t count, struct expectation *out, struct failure *f)
{
    const struct operation *op = v->op;
    const int64_t line = index / op->map.cols, col = index % op->map.cols;
    const int64_t plane = line / op->map.rows, row = line % op->map.rows;
    const struct block outputs = {plane, row, 1, col, count, 1};
    const struct region want =
        op->kind->region_needed(op, plane, row, col, count, source_concurrent(v->source));
    enum status status = band_load(band, v->source, &want, f);
    if (status != STATUS_OK)
        return status;
    op->kind->expect(op, &want, band->data, &outputs, out);
    for (int64_t i = 0; v->exact && i < count; i++)
        out[i].bound = 0.0;
    return STATUS_OK;
}

/* Returns how many outputs of one map row the oracle computes at a time. If a band of whole rows
 * would be large, the map is walked in strips of this width; sources that must be read in order use
 * whole rows. */
int64_t expect_width(const struct verifier *v)
{
    const struct operation *op = v->op;
    int64_t width = op->map.cols;
    if (source_concurrent(v->source))
        width = clamp(op->kind->strip(op, BAND_BYTES / (int64_t)sizeof(float)), 1, width);
    return clamp(width, 1, SEGMENT);
}

/* Walks down the rows of a strip first, so that the band keeps what the next row shares with this
 * one. */
enum status expect_walk(const struct verifier *v, int64_t first, int64_t count,
                        expectation_visitor *visit, void *context, struct failure *f)
{
    const int64_t cols = v->op->map.cols, end = first + count;
    const int64_t width = source_concurrent(v->source) ? expect_width(v) : cols;
    const int64_t first_line = first / cols, end_line = (end - 1) / cols + 1;
    struct expectation *out = malloc((size_t)width * sizeof *out);
    struct oracle_band band = {0};
    enum status status =
        out ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for the oracle's expectations");
    bool going = status == STATUS_OK;
    for (int64_t strip = 0; going && strip < cols; strip += width)
        for (int64_t line = first_line; going && line < end_line; line++) {
            const int64_t from = clamp(line * cols + strip, first, end);
            const int64_t to = clamp(line * cols + clamp(strip + width, 0, cols), first, end);
            if (from >= to)
                continue;
            status = expect_segment(v, &band, from, to - from, out, f);
            going = status == STATUS_OK && visit(context, from, to - from, out);
        }
    free(band.data);
    free(out);
    return status;
}

/* ---- a wrong output -------------------------------------------------------------------------- */

void report_wrong(struct verifier *v, int64_t index, struct expectation e, float found,
                  struct failure *f)
{
    const struct image_shape lines = v->op->map, map = map_planes(v->op);
    const int64_t channels = map.planes / lines.planes;
    const int64_t line = index / lines.cols, at = index % lines.cols;
    char allowed[48] = "";
    if (e.bound > 0.0)
        snprintf(allowed, sizeof allowed, ", give or take %.3g,", e.bound);
    v->found_wrong = true;
    v->wrong = (struct wrong_output){index,
                                     line / map.rows * channels + at / map.cols,
                                     line % map.rows,
                                     at % map.cols,
                                     e.value,
                                     e.bound,
                                     found};
    fail(f, STATUS_WRONG,
         "wrong result at plane %lld, row %lld, column %lld: %.9g where %.9g%s is right",
         (long long)v->wrong.plane, (long long)v->wrong.row, (long long)v->wrong.col, (double)found,
         e.value, allowed);
}
