#include "harness/image/picture.h"

#include "harness/image/resize.h"
#include "harness/machine/memory.h"

#include <stdlib.h>

enum { COLOURS = 3 };

/* Red, green and blue in turn row by row: a file unpacks a row of all of them at once. */
static enum status read_planes(const struct picture *p, float *planes, struct failure *f)
{
    const struct image_shape s = source_shape(p->source);
    struct image_range row = {.rows = 1, .cols = s.cols};
    enum status status = STATUS_OK;
    for (; status == STATUS_OK && row.row < s.rows; row.row++)
        for (int64_t i = 0; status == STATUS_OK && i < p->planes; i++) {
            row.plane = p->plane + i;
            status = source_read(p->source, &row, planes + (i * s.rows + row.row) * s.cols, s.cols,
                                 NULL, f);
        }
    return status;
}

/* Three planes into the first one. */
static void make_luma(float *planes, int64_t cells)
{
    for (int64_t i = 0; i < cells; i++)
        planes[i] = (float)(0.299 * (double)planes[i] + 0.587 * (double)planes[cells + i] +
                            0.114 * (double)planes[2 * cells + i]);
}

/* Values in [0, white] to [0, 1], and then to ImageNet's scale, in float32 as torchvision has it.
 */
static void scale(float *cells, int64_t count, float white)
{
    for (int64_t i = 0; i < count; i++)
        cells[i] /= white;
}

static void normalise(float *cells, int64_t count, int64_t channel)
{
    static const float mean[COLOURS] = {0.485f, 0.456f, 0.406f};
    static const float deviation[COLOURS] = {0.229f, 0.224f, 0.225f};
    for (int64_t i = 0; i < count; i++)
        cells[i] = (cells[i] - mean[channel]) / deviation[channel];
}

/* ---- room -------------------------------------------------------------------------------------
 */

void picture_room_release(struct picture_room *room)
{
    resize_axis_release(&room->rows);
    resize_axis_release(&room->cols);
    free(room->cells);
    free(room->between);
    *room = (struct picture_room){0};
}

static enum status allocate(struct picture_room *room, const struct picture *p,
                            const struct picture_form *form, struct failure *f)
{
    const struct image_shape s = source_shape(p->source);
    const size_t cells = memory_multiply((size_t)(p->planes * s.rows), (size_t)s.cols);
    const size_t between = memory_multiply((size_t)s.rows, (size_t)form->cols);
    enum status status = resize_axis_make(&room->rows, s.rows, form->rows, f);
    if (status == STATUS_OK)
        status = resize_axis_make(&room->cols, s.cols, form->cols, f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&room->cells, memory_multiply(cells, sizeof(float)),
                                 source_name(p->source), f);
    if (status == STATUS_OK)
        status = memory_allocate((void **)&room->between, memory_multiply(between, sizeof(float)),
                                 source_name(p->source), f);
    return status;
}

/* Room for this picture: that of the one before where it is of the same size. */
static enum status make_room(struct picture_room *room, const struct picture *p,
                             const struct picture_form *form, struct failure *f)
{
    const struct image_shape s = source_shape(p->source);
    if (room->between && room->planes == p->planes && room->rows.in == s.rows &&
        room->cols.in == s.cols && room->rows.out == form->rows && room->cols.out == form->cols)
        return STATUS_OK;
    picture_room_release(room);
    const enum status status = allocate(room, p, form, f);
    if (status != STATUS_OK)
        picture_room_release(room);
    room->planes = p->planes;
    return status;
}

/* ---- a picture --------------------------------------------------------------------------------
 */

enum status picture_make(const struct picture *p, const struct picture_form *form,
                         struct picture_room *room, float *out, struct failure *f)
{
    const struct image_shape s = source_shape(p->source);
    const int64_t cells = s.rows * s.cols, made = form->rows * form->cols;
    enum status status = make_room(room, p, form, f);
    if (status == STATUS_OK)
        status = read_planes(p, room->cells, f);
    if (status == STATUS_OK && p->planes > 1 && form->channels == 1)
        make_luma(room->cells, cells);
    for (int64_t c = 0; status == STATUS_OK && c < form->channels; c++) {
        const float *from = room->cells + (p->planes > 1 && form->channels > 1 ? c * cells : 0);
        resize_plane(&room->rows, &room->cols, from, room->between, out + c * made);
        scale(out + c * made, made, (float)p->white);
        if (form->channels == COLOURS)
            normalise(out + c * made, made, c);
    }
    return status;
}
