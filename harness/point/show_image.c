#include "harness/point/show.h"

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
    const struct image_shape s = image_planes(&p->operation);
    const int64_t channels = s.planes / p->operation.image.planes;
    float *row = malloc((size_t)s.cols * sizeof *row);
    enum status status = row ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for one row");
    for (int64_t plane = 0; status == STATUS_OK && plane < s.planes; plane++) {
        print_heading(out, "Image", s, plane);
        for (int64_t r = 0; status == STATUS_OK && r < s.rows && r < SHOWN; r++) {
            const struct image_range range = {plane / channels, r, 1, plane % channels * s.cols,
                                              s.cols};
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
    const struct image_shape s = map_planes(&p->operation);
    const char *word = p->operation.kind->words.map;
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
    const double cells = (double)shape_cells(op->map) * (double)op->kind->explained_cells(op);
    if (cells <= EXPLAINED_CELLS)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "--explain is for small images: it would print %.0f cells of windows, and %d are "
                "the most",
                cells, EXPLAINED_CELLS);
}

/* The two sides of every output, filled by the operator. */
struct sides {
    float *left;
    double *right;
};

/* Both side by side, then the result. */
static void print_explanation(FILE *out, const struct explanation *e, const struct sides *sides)
{
    for (int64_t i = 0; i < e->rows; i++) {
        for (int64_t j = 0; j < e->left_cols; j++)
            fprintf(out, " %8.5g", (double)sides->left[i * e->left_cols + j]);
        fprintf(out, "   %*s", (int)strlen(e->between), i == e->rows / 2 ? e->between : "");
        for (int64_t j = 0; j < e->right_cols; j++)
            fprintf(out, " %8.5g", sides->right[i * e->right_cols + j]);
        fputc('\n', out);
    }
    fprintf(out, "  %s %.9g\n\n", e->result_word, e->result);
}

/* The outputs of one plane of the map, from the image planes that it reads. */
static enum status explain_plane(FILE *out, const struct point *p, int64_t plane, float *image,
                                 const struct sides *sides, struct failure *f)
{
    const struct operation *op = &p->operation;
    const struct cells read = op->kind->cells_needed(op, plane, 0, 0, op->map.cols, false);
    struct image_range all = {read.plane, 0, op->image.rows, 0, op->image.cols};
    const struct view view = {.data = image,
                              .row_stride = op->image.cols,
                              .rows = op->image.rows,
                              .plane_stride = op->image.rows * op->image.cols};
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < read.planes; i++, all.plane++)
        status =
            source_read(p->source, &all, image + i * view.plane_stride, op->image.cols, NULL, f);
    for (int64_t r = 0; status == STATUS_OK && r < op->map.rows; r++)
        for (int64_t c = 0; c < op->map.cols; c++) {
            const struct explanation e =
                op->kind->explain(op, &view, r, c, sides->left, sides->right);
            fprintf(out, "Output (%lld, %lld): window at row %lld, column %lld\n", (long long)r,
                    (long long)c, (long long)e.top, (long long)e.left);
            print_explanation(out, &e, sides);
        }
    return status;
}

enum status show_explain(FILE *out, const struct point *p, struct failure *f)
{
    const struct operation *op = &p->operation;
    const size_t cells = (size_t)op->kind->explained_cells(op);
    float *image = malloc((size_t)shape_cells(op->image) * sizeof *image);
    const struct sides sides = {malloc(cells * sizeof(float)), malloc(cells * sizeof(double))};
    enum status status = image && sides.left && sides.right
                             ? STATUS_OK
                             : fail(f, STATUS_RESOURCE, "no memory to explain the windows");
    if (status == STATUS_OK && op->kind->second.option)
        fprintf(out, "Filter B: %s\n\n", op->second.name);
    for (int64_t plane = 0; status == STATUS_OK && plane < op->map.planes; plane++) {
        if (op->map.planes > 1)
            fprintf(out, "Plane %lld\n", (long long)plane);
        status = explain_plane(out, p, plane, image, &sides, f);
    }
    free(image);
    free(sides.left);
    free(sides.right);
    return status;
}
