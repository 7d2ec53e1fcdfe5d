#include "harness/image/pictures.h"

#include "harness/base/text/fit.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"
#include "harness/image/folder.h"
#include "harness/image/luma.h"
#include "harness/image/numbers.h"
#include "harness/image/resize.h"
#include "harness/image/sources/source_kind.h"
#include "harness/machine/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one picture ----------------------------------------------------------------------------- */

/* The planes [plane, plane + planes) of a source: one plane is gray, three are red, green and blue.
 * `white` is the value of white. */
struct picture {
    struct source *source;
    int64_t plane, planes;
    double white;
};

/* The workspace of resizing, reused for pictures of the same size. Zeroed at the beginning. */
struct picture_workspace {
    int64_t planes, channels;
    struct resize_axis rows, cols;
    float *row;     /* a row of the picture: planes x columns */
    float *resized; /* that row resized to the columns of the form */
    double *sums;   /* channels x rows x columns of the form */
};

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

static void picture_workspace_release(struct picture_workspace *workspace)
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

/* Writes channels x rows x cols of the form. Status as source_read(), and 4 if memory is short. The
 * workspace must be released in any case. */
static enum status picture_make(const struct picture *p, const struct picture_form *form,
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

/* ---- the pictures of a folder ---------------------------------------------------------------- */

struct pictures {
    struct source base;
    struct picture_form form;
    struct folder files;
    struct source *planes; /* NULL, or the source whose planes are the pictures, instead of files */
    double white;          /* value of white in those planes */
    int64_t noted;         /* files of which something is ignored: source_note() */
    char first_note[170];  /* and of the first what */
    int64_t prepared;      /* the picture in `elements`; -1: none */
    struct picture_workspace workspace;
    float *elements; /* channels x rows x cols of that picture */
};

bool pictures_are_named(const char *path)
{
    return folder_is_one(path) || source_is_picture(path);
}

const char *pictures_name(const struct source *s, int64_t i)
{
    const struct pictures *p = (const struct pictures *)s;
    return i < p->files.count ? p->files.paths[i] : NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Keeps the first note about a file, and counts the others. */
static void take_note(struct pictures *p, const struct source *file)
{
    const char *name = strrchr(file->name, '/');
    if (!source_note(file))
        return;
    if (p->noted++ == 0)
        text_fit_format(p->first_note, sizeof p->first_note, "%s: %s",
                        text_brief(name ? name + 1 : file->name, 80).text, file->note);
    if (p->noted == 1)
        snprintf(p->base.note, sizeof p->base.note, "%s", p->first_note);
    else
        text_fit_format(p->base.note, sizeof p->base.note, "%s; and %lld more pictures",
                        p->first_note, (long long)(p->noted - 1));
}

/* Opens a file of the list, which may hold something other than its name says. */
static enum status open_picture(struct source **out, const char *path, struct failure *f)
{
    enum status status = source_open_file(out, path, f);
    if (status == STATUS_OK && !(source_white(*out) > 0.0)) {
        status = fail(f, STATUS_USAGE, "%s: holds no picture", path);
        source_close(*out);
        *out = NULL;
    }
    return status;
}

static enum status make_of_file(struct pictures *p, int64_t i, struct failure *f)
{
    struct source *file = NULL;
    enum status status = open_picture(&file, p->files.paths[i], f);
    if (status != STATUS_OK)
        return status;
    const struct picture picture = {file, 0, source_shape(file).planes, source_white(file)};
    file->limit_s = p->base.limit_s;
    file->limit_from = p->base.limit_from;
    status = picture_make(&picture, &p->form, &p->workspace, p->elements, f);
    if (status == STATUS_OK && p->noted == 0)
        take_note(p, file);
    source_close(file);
    return status;
}

static enum status make_of_plane(struct pictures *p, int64_t i, struct failure *f)
{
    const struct picture picture = {p->planes, i, 1, p->white};
    return picture_make(&picture, &p->form, &p->workspace, p->elements, f);
}

/* Unpacks and resizes picture i into p->elements, unless it is there. */
static enum status prepare_picture(struct pictures *p, int64_t i, struct failure *f)
{
    if (p->prepared == i)
        return STATUS_OK;
    p->prepared = -1;
    const enum status status = p->planes ? make_of_plane(p, i, f) : make_of_file(p, i, f);
    if (status == STATUS_OK)
        p->prepared = i;
    return status;
}

static enum status read_pictures(struct source *s, const struct image_range *range, float *dst,
                                 int64_t dst_stride, struct image_facts *facts, struct failure *f)
{
    struct pictures *p = (struct pictures *)s;
    const struct picture_form *form = &p->form;
    const enum status status = prepare_picture(p, range->plane / form->channels, f);
    if (status != STATUS_OK)
        return status;
    const float *plane = p->elements + range->plane % form->channels * form->rows * form->cols;
    for (int64_t i = 0; i < range->rows; i++) {
        const float *row = plane + (range->row + i) * form->cols + range->col;
        memcpy(dst + i * dst_stride, row, (size_t)range->cols * sizeof *dst);
        numbers_see(row, range->cols, facts);
    }
    return STATUS_OK;
}

static void close_pictures(struct source *s)
{
    struct pictures *p = (struct pictures *)s;
    folder_release(&p->files);
    source_close(p->planes);
    picture_workspace_release(&p->workspace);
    free(p->elements);
}

static const struct source_operations operations = {read_pictures, close_pictures};

/* ---- opening --------------------------------------------------------------------------------- */

/* Adds the file's sizes to the sums, and refuses a large interlaced picture: rows are resized as
 * they are read, but an interlaced picture must be unpacked as a whole. */
static enum status check_file(struct pictures *p, const struct source *file, struct failure *f)
{
    enum { WHOLE_MOST = 512 << 20 };
    const struct image_shape s = source_shape(file);
    const int64_t elements = s.planes * s.rows * s.cols;
    if (source_whole_bytes(file) > WHOLE_MOST)
        return fail(f, STATUS_RESOURCE,
                    "%s: an interlaced image of %lld x %lld is unpacked whole, %lld MiB, more than "
                    "the %d that pictures take; without interlacing rows are enough",
                    source_name(file), (long long)s.rows, (long long)s.cols,
                    (long long)(source_whole_bytes(file) >> 20), WHOLE_MOST >> 20);
    p->base.packed_bytes += source_packed_bytes(file);
    p->base.unpacked_elements += elements;
    p->base.unpacked_bytes += source_white(file) > 255.0 ? 2 * elements : elements;
    return STATUS_OK;
}

static enum status unpack(struct source *file, struct failure *f)
{
    const struct image_shape s = source_shape(file);
    struct image_range row = {.rows = 1, .cols = s.cols};
    float *elements = malloc((size_t)s.cols * sizeof *elements);
    enum status status =
        elements ? STATUS_OK : fail(f, STATUS_RESOURCE, "%s: no memory for a row", file->name);
    for (; status == STATUS_OK && row.row < s.rows; row.row++)
        status = source_read(file, &row, elements, s.cols, NULL, f);
    free(elements);
    return status;
}

static enum status check_picture(struct pictures *p, const char *path, bool whole,
                                 struct failure *f)
{
    struct source *file = NULL;
    enum status status = open_picture(&file, path, f);
    if (status == STATUS_OK && whole)
        status = unpack(file, f);
    if (status == STATUS_OK)
        status = check_file(p, file, f);
    if (status == STATUS_OK)
        take_note(p, file);
    source_close(file);
    return status;
}

/* Reads every header, so that a file that is not a picture is reported before anything is
 * computed; with skip_bad the whole file, which leaves the list if it is bad. */
static enum status check_files(struct pictures *p, bool skip_bad, struct failure *f)
{
    int64_t kept = 0;
    struct failure bad = {.status = STATUS_OK};
    for (int64_t i = 0; i < p->files.count; i++) {
        char *path = p->files.paths[i];
        const enum status status = check_picture(p, path, skip_bad, skip_bad ? &bad : f);
        if (status != STATUS_OK && !(skip_bad && status == STATUS_USAGE))
            return skip_bad ? fail(f, status, "%s", bad.message) : status;
        if (status == STATUS_OK) {
            p->files.paths[i] = p->files.paths[kept];
            p->files.paths[kept++] = path;
            continue;
        }
        screen_say(stderr, N_("left out (--skip-bad): %{why}\n"),
                   WITH({"why", wording_on_screen(bad.message).text}));
    }
    while (p->files.count > kept)
        free(p->files.paths[--p->files.count]);
    return kept > 0 ? STATUS_OK
                    : fail(f, STATUS_USAGE, "%s: no picture of it can be read", p->base.name);
}

/* Sets the shape for `count` pictures, and allocates the elements of one of them. */
static enum status set_form(struct pictures *p, const struct picture_form *form, int64_t count,
                            struct failure *f)
{
    int64_t planes;
    p->form = *form;
    p->prepared = -1;
    p->base.batch = count;
    if (__builtin_mul_overflow(count, form->channels, &planes))
        return fail(f, STATUS_RESOURCE, "%s: too many images", p->base.name);
    enum status status =
        source_set_shape(&p->base, (struct image_shape){planes, form->rows, form->cols}, f);
    if (status != STATUS_OK)
        return status;
    const size_t elements = (size_t)(form->channels * form->rows * form->cols);
    return memory_allocate((void **)&p->elements, elements * sizeof(float), "an image, resized", f);
}

enum status pictures_open(struct source **out, const char *path, const struct picture_form *form,
                          bool skip_bad, struct failure *f)
{
    struct source *s = NULL;
    *out = NULL;
    enum status status = source_new(&s, sizeof(struct pictures), &operations, path, f);
    if (status != STATUS_OK)
        return status;
    struct pictures *p = (struct pictures *)s;
    status = folder_list(&p->files, path, f);
    if (status == STATUS_OK)
        status = check_files(p, skip_bad, f);
    if (status == STATUS_OK)
        status = set_form(p, form, p->files.count, f);
    if (status != STATUS_OK)
        source_close(s);
    else
        *out = s;
    return status;
}

enum status pictures_of_planes(struct source **s, int64_t count, double white,
                               const struct picture_form *form, struct failure *f)
{
    struct source *made = NULL;
    if (source_shape(*s).planes < count)
        return fail(f, STATUS_USAGE, "%s: has fewer than %lld planes", source_name(*s),
                    (long long)count);
    enum status status =
        source_new(&made, sizeof(struct pictures), &operations, source_name(*s), f);
    if (status != STATUS_OK)
        return status;
    struct pictures *p = (struct pictures *)made;
    p->planes = *s;
    p->white = white;
    *s = made;
    return set_form(p, form, count, f);
}
