#include "harness/image/picture.h"

#include "harness/image/luma.h"
#include "harness/image/resize.h"
#include "harness/machine/memory.h"

#include <stdlib.h>
#include <string.h>

enum { COLOURS = 3 };

/* Reads a row of all planes, since a file unpacks them together. */
static enum status read_row(const struct picture *p, int64_t row, float *to, struct failure *f)
{
    const int64_t cols = source_shape(p->source).cols;
    struct image_range range = {.row = row, .rows = 1, .cols = cols};
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < p->planes; i++) {
        range.plane = p->plane + i;
        status = source_read(p->source, &range, to + i * cols, cols, NULL, f);
    }
    return status;
}

/* Replaces the first of three planes by the luma of all. */
static void make_luma(float *planes, int64_t elements)
{
    for (int64_t i = 0; i < elements; i++)
        planes[i] = (float)luma_of((double)planes[i], (double)planes[elements + i],
                                   (double)planes[2 * elements + i]);
}

/* Scales values from [0, white] to [0, 1]; normalise() then shifts and scales them by ImageNet's
 * mean and deviation. Both work in float32, as torchvision does. */
static void scale(float *elements, int64_t count, float white)
{
    for (int64_t i = 0; i < count; i++)
        elements[i] /= white;
}

static void normalise(float *elements, int64_t count, int64_t channel)
{
    static const float mean[COLOURS] = {0.485f, 0.456f, 0.406f};
    static const float deviation[COLOURS] = {0.229f, 0.224f, 0.225f};
    for (int64_t i = 0; i < count; i++)
        elements[i] = (elements[i] - mean[channel]) / deviation[channel];
}

/* ---- workspace ------------------------------------------------------------------------------- */

void picture_workspace_release(struct picture_workspace *workspace)
{
    resize_axis_release(&workspace->rows);
    resize_axis_release(&workspace->cols);
    free(workspace->row);
    free(workspace->resized);
    free(workspace->sums);
    *workspace = (struct picture_workspace){0};
}

static enum status allocate(struct picture_workspace *workspace, const struct picture *p,
                            const struct picture_form *form, struct failure *f)
{
    const struct image_shape s = source_shape(p->source);
    const char *name = source_name(p->source);
    const size_t row = memory_multiply((size_t)p->planes * sizeof(float), (size_t)s.cols);
    const size_t made = (size_t)(form->channels * form->rows * form->cols);
    enum status status = resize_axis_make(&workspace->rows, s.rows, form->rows, f);
    if (status == STATUS_OK)
        status = resize_axis_make(&workspace->cols, s.cols, form->cols, f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&workspace->row, row, name, f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&workspace->resized, (size_t)form->cols * sizeof(float),
                                 name, f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&workspace->sums, made * sizeof(double), name, f);
    return status;
}

/* Prepares the workspace for this picture; keeps the previous one if the sizes match. */
static enum status prepare_workspace(struct picture_workspace *workspace, const struct picture *p,
                                     const struct picture_form *form, struct failure *f)
{
    const struct image_shape s = source_shape(p->source);
    if (workspace->sums && workspace->planes == p->planes &&
        workspace->channels == form->channels && workspace->rows.in == s.rows &&
        workspace->cols.in == s.cols && workspace->rows.out == form->rows &&
        workspace->cols.out == form->cols)
        return STATUS_OK;
    picture_workspace_release(workspace);
    const enum status status = allocate(workspace, p, form, f);
    if (status != STATUS_OK)
        picture_workspace_release(workspace);
    workspace->planes = p->planes;
    workspace->channels = form->channels;
    return status;
}

/* ---- a picture ------------------------------------------------------------------------------- */

/* Adds the row in workspace->row, for every channel, to the sums. */
static void add_row(const struct picture *p, const struct picture_form *form,
                    const struct picture_workspace *workspace, int64_t row)
{
    const int64_t cols = workspace->cols.in, made = form->rows * form->cols;
    const bool gray = form->gray || form->channels == 1;
    if (p->planes > 1 && gray)
        make_luma(workspace->row, cols);
    for (int64_t c = 0; c < form->channels; c++) {
        const int64_t plane = p->planes > 1 && !gray ? c : 0;
        resize_row(&workspace->cols, workspace->row + plane * cols, workspace->resized);
        resize_add_row(&workspace->rows, row, workspace->resized, form->cols,
                       workspace->sums + c * made);
    }
}

enum status picture_make(const struct picture *p, const struct picture_form *form,
                         struct picture_workspace *workspace, float *out, struct failure *f)
{
    const int64_t made = form->rows * form->cols, rows = source_shape(p->source).rows;
    enum status status = prepare_workspace(workspace, p, form, f);
    if (status == STATUS_OK)
        memset(workspace->sums, 0, (size_t)(form->channels * made) * sizeof *workspace->sums);
    for (int64_t row = 0; status == STATUS_OK && row < rows; row++) {
        status = read_row(p, row, workspace->row, f);
        if (status == STATUS_OK)
            add_row(p, form, workspace, row);
    }
    for (int64_t c = 0; status == STATUS_OK && c < form->channels; c++) {
        for (int64_t i = 0; i < made; i++)
            out[c * made + i] = (float)workspace->sums[c * made + i];
        scale(out + c * made, made, (float)p->white);
        if (form->channels == COLOURS && !form->plain)
            normalise(out + c * made, made, c);
    }
    return status;
}
