#include "harness/point/show.h"

#include "kernels/maxpool/window.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 16,            /* rows and columns of an image shown before it is cut short */
    EXPLAINED_CELLS = 4096 /* window cells that --explain prints at most */
};

static void print_row(FILE *out, const float *row, int64_t cols)
{
    for (int64_t c = 0; c < cols && c < SHOWN; c++)
        fprintf(out, " %8.5g", (double)row[c]);
    fprintf(out, cols > SHOWN ? " ...\n" : "\n");
}

static void print_heading(FILE *out, const char *word, struct image_shape s, int64_t plane)
{
    fprintf(out, "%s", word);
    if (s.planes > 1)
        fprintf(out, ", plane %lld", (long long)plane);
    fprintf(out, " (%lld x %lld)\n", (long long)s.rows, (long long)s.cols);
}

enum status show_image(FILE *out, const struct point *p, struct failure *f)
{
    const struct image_shape s = source_shape(p->source);
    float *row = malloc((size_t)s.cols * sizeof *row);
    enum status status = row ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for one row");
    for (int64_t plane = 0; status == STATUS_OK && plane < s.planes; plane++) {
        print_heading(out, "Image", s, plane);
        for (int64_t r = 0; status == STATUS_OK && r < s.rows && r < SHOWN; r++) {
            const struct image_range range = {plane, r, 1, 0, s.cols};
            status = source_read(p->source, &range, row, s.cols, NULL, f);
            if (status == STATUS_OK)
                print_row(out, row, s.cols);
        }
        fprintf(out, s.rows > SHOWN ? "  ...\n\n" : "\n");
    }
    free(row);
    return status;
}

void show_map(FILE *out, const struct point *p, const float *map)
{
    const struct image_shape s = p->operation.map;
    const char *word = p->operation.kind == OPERATOR_MAXPOOL ? "Feature map" : "Product";
    for (int64_t plane = 0; plane < s.planes; plane++) {
        print_heading(out, word, s, plane);
        for (int64_t r = 0; r < s.rows && r < SHOWN; r++)
            print_row(out, map + (plane * s.rows + r) * s.cols, s.cols);
        fprintf(out, s.rows > SHOWN ? "  ...\n\n" : "\n");
    }
}

/* ---- --explain ----------------------------------------------------------------------------------
 */

enum status show_explain_check(const struct operation *op, struct failure *f)
{
    const double k = (double)op->geometry.kernel;
    const double cells = (double)(op->map.planes * op->map.rows * op->map.cols) * k * k;
    if (cells <= EXPLAINED_CELLS)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "--explain is for small images: it would print %.0f cells of windows, and %d are "
                "the most",
                cells, EXPLAINED_CELLS);
}

/* Window and product side by side, then the maximum, all from this file's own arithmetic. */
static void explain_window(FILE *out, const struct maxpool_call *call, int64_t row, int64_t col,
                           float *w)
{
    const int64_t k = call->geometry->kernel;
    double best = 0.0;
    window_cut(call, row, col, k, w);
    fprintf(out, "Output (%lld, %lld): window at row %lld, column %lld\n", (long long)row,
            (long long)col, (long long)(row * call->geometry->stride - call->geometry->padding),
            (long long)(col * call->geometry->stride - call->geometry->padding));
    for (int64_t i = 0; i < k; i++) {
        for (int64_t j = 0; j < k; j++)
            fprintf(out, " %8.5g", (double)w[i * k + j]);
        fprintf(out, i == k / 2 ? "   x B =" : "        ");
        for (int64_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (int64_t q = 0; q < k; q++)
                sum += (double)w[i * k + q] * (double)call->filter[q * k + j];
            fprintf(out, " %8.5g", sum);
            best = (i == 0 && j == 0) || sum > best ? sum : best;
        }
        fputc('\n', out);
    }
    fprintf(out, "  maximum %.9g\n\n", best);
}

static enum status explain_plane(FILE *out, const struct point *p, int64_t plane, float *image,
                                 float *w, struct failure *f)
{
    const struct operation *op = &p->operation;
    const struct image_range all = {plane, 0, op->image.rows, 0, op->image.cols};
    const struct maxpool_call call = {
        .geometry = &op->geometry,
        .filter = op->filter.values,
        .image = {.data = image, .row_stride = op->image.cols, .rows = op->image.rows}};
    enum status status = source_read(p->source, &all, image, op->image.cols, NULL, f);
    for (int64_t r = 0; status == STATUS_OK && r < op->map.rows; r++)
        for (int64_t c = 0; c < op->map.cols; c++)
            explain_window(out, &call, r, c, w);
    return status;
}

enum status show_explain(FILE *out, const struct point *p, struct failure *f)
{
    const struct operation *op = &p->operation;
    float *image = malloc((size_t)(op->image.rows * op->image.cols) * sizeof *image);
    float *w = malloc(window_cells(&op->geometry) * sizeof *w);
    enum status status =
        image && w ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory to explain the windows");
    if (status == STATUS_OK)
        fprintf(out, "Filter B: %s\n\n", op->filter.name);
    for (int64_t plane = 0; status == STATUS_OK && plane < op->image.planes; plane++) {
        if (op->image.planes > 1)
            fprintf(out, "Plane %lld\n", (long long)plane);
        status = explain_plane(out, p, plane, image, w, f);
    }
    free(image);
    free(w);
    return status;
}
