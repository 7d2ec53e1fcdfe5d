#include "harness/point/show/show.h"

#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"
#include "kernels/windows.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 16,               /* rows and columns shown; larger images are truncated */
    EXPLAINED_ELEMENTS = 8192 /* most numbers that --explain prints */
};

static void print_row(FILE *out, const float *row, int64_t cols)
{
    for (int64_t c = 0; c < cols && c < SHOWN; c++)
        fprintf(out, " %8.5g", (double)row[c]);
    fprintf(out, cols > SHOWN ? " ...\n" : "\n");
}

static void print_heading(FILE *out, const char *word, struct image_shape s, int64_t plane)
{
    fprintf(out, "%s", screen_text(word));
    if (s.planes > 1)
        fprintf(out, "%s %lld", screen_text(N_(", plane")), (long long)plane);
    fprintf(out, " (%lld x %lld)\n", (long long)s.rows, (long long)s.cols);
}

/* Prints rows of planes of values; if there are many planes, the first. */
static void print_planes(FILE *out, const char *word, struct image_shape s, const float *values)
{
    for (int64_t plane = 0; plane < s.planes && plane < SHOWN; plane++) {
        print_heading(out, word, s, plane);
        for (int64_t r = 0; r < s.rows && r < SHOWN; r++)
            print_row(out, values + (plane * s.rows + r) * s.cols, s.cols);
        fprintf(out, s.rows > SHOWN ? "  ...\n\n" : "\n");
    }
    if (s.planes > SHOWN) {
        screen_say_plural(out, "... one more plane\n", "... %{n} more planes\n",
                          (size_t)(s.planes - SHOWN), NULL);
        fputc('\n', out);
    }
}

/* Prints an operand under its symbol: "B, the filter". An operand that is the image itself, or that
 * does not exist, is not shown. */
static void show_operand(FILE *out, const struct operation *op, const struct operand_row *row)
{
    const struct operand *operand = &op->operands[row->role];
    char word[64];
    if (!operand->values || operand->itself)
        return;
    snprintf(word, sizeof word, "%s%s%s", row->symbol ? row->symbol : screen_text(N_("The ")),
             row->symbol ? screen_text(N_(", the ")) : "", screen_text(row->noun));
    print_planes(out, word, operand->shape, operand->values);
}

/* True if the windows see padding as part of the image. */
static bool is_padded(const struct operation *op)
{
    return op->parameters.padding > 0 && operator_parameter(op->kind, windows_pad_mode.option);
}

/* Prints one row of the padded image: outside values are zeros, or "." if they never win. */
static void print_padded_row(FILE *out, const struct operation *op, const float *row, bool inside)
{
    const int64_t padding = op->parameters.padding, cols = op->image.cols + 2 * padding;
    const char *outside = op->parameters.pad_mode == PAD_ZERO ? "0" : ".";
    for (int64_t c = 0; c < cols && c < SHOWN; c++)
        if (inside && c >= padding && c < padding + op->image.cols)
            fprintf(out, " %8.5g", (double)row[c - padding]);
        else
            fprintf(out, " %8s", outside);
    fprintf(out, cols > SHOWN ? " ...\n" : "\n");
}

/* Prints the padded image, from which windows are taken, plane by plane. */
static enum status show_padded(FILE *out, const struct point *p, float *row, struct failure *f)
{
    const struct operation *op = &p->operation;
    const int64_t padding = op->parameters.padding;
    const struct image_shape s = {op->image.planes, op->image.rows + 2 * padding,
                                  op->image.cols + 2 * padding};
    enum status status = STATUS_OK;
    for (int64_t plane = 0; status == STATUS_OK && plane < s.planes; plane++) {
        print_heading(out, N_("Padded image"), s, plane);
        for (int64_t r = 0; status == STATUS_OK && r < s.rows && r < SHOWN; r++) {
            const bool inside = r >= padding && r < padding + op->image.rows;
            const struct image_range range = {plane, r - padding, 1, 0, op->image.cols};
            if (inside)
                status = source_read(p->source, &range, row, op->image.cols, NULL, f);
            print_padded_row(out, op, row, inside);
        }
        fprintf(out, s.rows > SHOWN ? "  ...\n\n" : "\n");
    }
    return status;
}

enum status show_image(FILE *out, const struct point *p, struct failure *f)
{
    const struct image_shape s = image_planes(&p->operation);
    const int64_t channels = s.planes / p->operation.image.planes;
    float *row = malloc((size_t)s.cols * sizeof *row);
    enum status status = row ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory for one row");
    for (int64_t plane = 0; status == STATUS_OK && plane < s.planes; plane++) {
        print_heading(out, N_("Image"), s, plane);
        for (int64_t r = 0; status == STATUS_OK && r < s.rows && r < SHOWN; r++) {
            const struct image_range range = {plane / channels, r, 1, plane % channels * s.cols,
                                              s.cols};
            status = source_read(p->source, &range, row, s.cols, NULL, f);
            if (status == STATUS_OK)
                print_row(out, row, s.cols);
        }
        fprintf(out, s.rows > SHOWN ? "  ...\n\n" : "\n");
    }
    if (status == STATUS_OK && is_padded(&p->operation))
        status = show_padded(out, p, row, f);
    free(row);
    if (status == STATUS_OK)
        for (const struct operand_row *const *it = p->operation.kind->operands; *it; it++)
            show_operand(out, &p->operation, *it);
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
    const double elements =
        (double)shape_elements(op->map) * (double)op->kind->explained_elements(op);
    if (elements <= EXPLAINED_ELEMENTS)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "--explain is for small images: it would print %.0f numbers, and %d are "
                "the most",
                elements, EXPLAINED_ELEMENTS);
}

static void print_values(FILE *out, const double *values, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        fprintf(out, " %8.5g", values[j]);
}

/* Prints one row of all parts, with each part's word in the middle row of its group. */
static void print_parts(FILE *out, const struct explanation *e, int64_t row, const double *values)
{
    const int64_t group = e->group > 0 ? e->group : e->rows;
    for (int i = 0; i < EXPLAINED_PARTS && e->parts[i].cols > 0; i++) {
        const struct explained_part *part = &e->parts[i];
        const bool middle = row % group == group / 2;
        const struct screen_wording before = wording_on_screen(part->before);
        if (i > 0)
            fprintf(out, "   %*s", middle ? 0 : screen_columns(before.text),
                    middle ? before.text : "");
        print_values(out, values + row * part->cols, part->cols);
        values += e->rows * part->cols;
    }
    fputc('\n', out);
}

/* Prints clauses, such as "sum 12, plus bias 3", in the language of the screen. */
static void print_clauses(FILE *out, const char *clauses)
{
    char clause[sizeof((struct explanation *)0)->result];
    for (size_t length; *clauses; clauses += length + (clauses[length] ? 2 : 0)) {
        const char *end = strstr(clauses, ", ");
        length = end ? (size_t)(end - clauses) : strlen(clauses);
        snprintf(clause, sizeof clause, "%.*s", (int)length, clauses);
        fprintf(out, "%s%s", wording_on_screen(clause).text, end ? ", " : "");
    }
}

/* Prints the parts next to each other, then the result. */
static void print_explanation(FILE *out, const struct explanation *e, const double *values)
{
    fprintf(out, "%s\n", wording_on_screen(e->title).text);
    for (int64_t i = 0; i < e->rows; i++) {
        if (e->group > 0 && i % e->group == 0 && e->rows > e->group)
            fprintf(out, "  %s %lld\n", wording_on_screen(e->group_word).text,
                    (long long)(e->first_group + i / e->group));
        print_parts(out, e, i, values);
    }
    fputs("  ", out);
    print_clauses(out, e->result);
    fputs("\n\n", out);
}

/* Reads the planes of the image that outputs of this plane of the map read, into `image`. */
static enum status read_planes(const struct operation *op, struct source *source, int64_t plane,
                               float *image, struct view *view, struct failure *f)
{
    const struct region read = op->kind->region_needed(op, plane, 0, 0, op->map.cols, false);
    struct image_range all = {read.plane, 0, op->image.rows, 0, op->image.cols};
    enum status status = STATUS_OK;
    *view = (struct view){.data = image,
                          .row_stride = op->image.cols,
                          .rows = op->image.rows,
                          .plane_stride = op->image.rows * op->image.cols};
    for (int64_t i = 0; status == STATUS_OK && i < read.planes; i++, all.plane++)
        status = source_read(source, &all, image + i * view->plane_stride, op->image.cols, NULL, f);
    return status;
}

static void explain(FILE *out, const struct operation *op, const struct view *view, int64_t output,
                    double *values)
{
    const int64_t line = output / op->map.cols;
    const struct explanation e = op->kind->explain(
        op, view, line / op->map.rows, line % op->map.rows, output % op->map.cols, values);
    print_explanation(out, &e, values);
}

/* Explains the outputs of one plane of the map, from the image planes that they read. */
static enum status explain_plane(FILE *out, const struct point *p, int64_t plane, float *image,
                                 double *values, struct failure *f)
{
    const struct operation *op = &p->operation;
    const int64_t outputs = op->map.rows * op->map.cols;
    struct view view;
    const enum status status = read_planes(op, p->source, plane, image, &view, f);
    for (int64_t i = 0; status == STATUS_OK && i < outputs; i++)
        explain(out, op, &view, plane * outputs + i, values);
    return status;
}

enum status show_explain_output(FILE *out, const struct operation *op, struct source *image,
                                int64_t output, struct failure *f)
{
    const int64_t elements = op->kind->explained_elements(op);
    if (!op->kind->explain || elements > EXPLAINED_ELEMENTS)
        return STATUS_OK;
    float *planes = malloc((size_t)shape_elements(op->image) * sizeof *planes);
    double *values = malloc((size_t)elements * sizeof *values);
    struct view view;
    enum status status =
        planes && values ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory to explain an output");
    if (status == STATUS_OK)
        status = read_planes(op, image, output / (op->map.rows * op->map.cols), planes, &view, f);
    if (status == STATUS_OK)
        explain(out, op, &view, output, values);
    free(planes);
    free(values);
    return status;
}

enum status show_explain(FILE *out, const struct point *p, struct failure *f)
{
    const struct operation *op = &p->operation;
    const size_t elements = (size_t)op->kind->explained_elements(op);
    float *image = malloc((size_t)shape_elements(op->image) * sizeof *image);
    double *values = malloc(elements * sizeof *values);
    enum status status =
        image && values ? STATUS_OK : fail(f, STATUS_RESOURCE, "no memory to explain the outputs");
    if (status == STATUS_OK && operator_right(op->kind)) {
        screen_say(out, N_("The %{operand}: %{name}\n"),
                   WITH({"operand", screen_text(operator_right(op->kind)->noun)},
                        {"name", operation_right(op)->name}));
        fputc('\n', out);
    }
    for (int64_t plane = 0; status == STATUS_OK && plane < op->map.planes; plane++) {
        if (op->map.planes > 1)
            fprintf(out, "%s %lld\n", screen_text(N_("Plane")), (long long)plane);
        status = explain_plane(out, p, plane, image, values, f);
    }
    free(image);
    free(values);
    return status;
}
