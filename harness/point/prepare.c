/* From options to a point that can be measured: the image, the geometry, the filter, the
 * methods, and a check of everything that is to be written, before any time is spent. */
#include "harness/machine/memory.h"
#include "harness/point/company.h"
#include "harness/point/interactive.h"
#include "harness/point/point.h"
#include "harness/point/show.h"

#include <string.h>

static enum status open_source(struct point *p, struct failure *f)
{
    const struct options *o = &p->options;
    const struct image_shape shape = {o->planes, o->rows, o->cols};
    if (p->source) /* typed in */
        return STATUS_OK;
    if (o->input)
        return source_open_file(&p->source, o->input, f);
    if (geometry_cells(shape.planes, shape.rows, shape.cols) < 0)
        return fail(f, STATUS_RESOURCE,
                    "an image of %lld planes of %lld x %lld cannot be counted "
                    "in bytes",
                    (long long)shape.planes, (long long)shape.rows, (long long)shape.cols);
    if (o->fold)
        return source_open_folded(&p->source, shape, o->max_value, f);
    return source_open_random(&p->source, shape, (uint64_t)o->seed, o->max_value, f);
}

/* The image: a random one is opened by every process, any other by the root alone, which tells its
 * shape. */
static enum status find_image(struct point *p, struct failure *f)
{
    const struct processes *processes = p->program->space->processes;
    const bool random = !p->options.input && !p->options.interactive;
    enum status status = STATUS_OK;
    if (p->options.interactive) {
        if (point_is_root(p))
            status = interactive_ask(&p->options, p->program->kind, &p->source, f);
        status = point_agree(p, status, f);
        if (status == STATUS_OK)
            options_share(&p->options, processes);
    }
    if (status == STATUS_OK && (random || point_is_root(p)))
        status = open_source(p, f);
    status = point_agree(p, status, f);
    if (status == STATUS_OK && p->source)
        p->operation.image = source_shape(p->source);
    if (status == STATUS_OK)
        processes_share(processes, &p->operation.image, sizeof p->operation.image);
    return status;
}

static enum status geometry_failure(enum geometry_status status, const struct geometry *g,
                                    struct failure *f)
{
    switch (status) {
    case GEOMETRY_OK:
        return STATUS_OK;
    case GEOMETRY_PAD_TOO_WIDE:
        return fail(f, STATUS_USAGE,
                    "--pad-mode ignore needs a padding below the kernel size: %lld is not below "
                    "%lld",
                    (long long)g->padding, (long long)g->kernel);
    case GEOMETRY_NO_FIT:
        return fail(f, STATUS_USAGE,
                    "a window of %lld x %lld does not fit the image of %lld x %lld padded by %lld",
                    (long long)g->kernel, (long long)g->kernel, (long long)g->rows,
                    (long long)g->cols, (long long)g->padding);
    case GEOMETRY_OVERFLOW:
        return fail(f, STATUS_RESOURCE,
                    "the padded image or the map of a %lld x %lld image cannot be counted in bytes",
                    (long long)g->rows, (long long)g->cols);
    case GEOMETRY_BAD_SIZE:
    case GEOMETRY_BAD_KERNEL:
    case GEOMETRY_BAD_STRIDE:
    case GEOMETRY_BAD_PADDING:
        break;
    }
    return fail(f, STATUS_USAGE, "sizes, kernel size and stride must be at least 1, padding 0");
}

static enum status shape_maxpool(struct point *p, struct failure *f)
{
    struct operation *op = &p->operation;
    const struct options *o = &p->options;
    op->geometry = (struct geometry){.planes = op->image.planes,
                                     .rows = op->image.rows,
                                     .cols = op->image.cols,
                                     .kernel = o->kernel,
                                     .stride = o->stride,
                                     .padding = o->padding,
                                     .pad_mode = (enum pad_mode)o->pad_mode};
    const enum geometry_status status = geometry_complete(&op->geometry);
    op->map =
        (struct image_shape){op->geometry.planes, op->geometry.out_rows, op->geometry.out_cols};
    return geometry_failure(status, &op->geometry, f);
}

static enum status shape_matmul(struct point *p, struct failure *f)
{
    struct operation *op = &p->operation;
    if (op->image.planes != 1)
        return fail(f, STATUS_USAGE, "the matrix product takes one plane, the image has %lld",
                    (long long)op->image.planes);
    op->map = op->image;
    return STATUS_OK;
}

static enum status make_filter(struct point *p, struct failure *f)
{
    struct operation *op = &p->operation;
    const struct options *o = &p->options;
    enum status status = STATUS_OK;
    op->filter.name = o->filter;
    if (point_is_root(p))
        status = filter_make(&op->filter, o->filter, operation_terms(op), (uint64_t)o->seed, f);
    status = point_agree(p, status, f);
    if (status == STATUS_OK)
        status = filter_share(&op->filter, p->program->space->processes,
                              op->kind == OPERATOR_MAXPOOL, f);
    if (status != STATUS_OK || op->filter.identity || op->kind == OPERATOR_MATMUL)
        return status;
    if (op->geometry.pad_mode == PAD_IGNORE)
        return fail(f, STATUS_USAGE,
                    "--pad-mode ignore needs a filter whose values are the identity's");
    return STATUS_OK;
}

/* --show-indices is a page or two of text, or too much. */
static enum status check_indices(const struct point *p, struct failure *f)
{
    enum { MOST = 1024 };
    const struct operation *op = &p->operation;
    const bool window = p->options.device.offload != OFFLOAD_IMAGE;
    const struct image_shape shape =
        window ? (struct image_shape){1, op->filter.order, op->filter.order} : op->map;
    const double elements = (double)shape.planes * (double)shape.rows * (double)shape.cols;
    if (elements <= MOST)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "--show-indices is for small products: up to %d elements, not %.0f", MOST,
                elements);
}

static enum status check_outputs(struct point *p, struct failure *f)
{
    const struct options *o = &p->options;
    enum status status = STATUS_OK;
    bool torn = false;
    if (o->explain)
        status = show_explain_check(&p->operation, f);
    if (status == STATUS_OK && o->show_indices)
        status = check_indices(p, f);
    if (status == STATUS_OK && o->output)
        status = sink_check(o->output, p->operation.map, f);
    if (status == STATUS_OK && o->record)
        status = record_writer_open(&p->writer, o->record, &torn, f);
    if (torn)
        fprintf(stderr, "%s: %s: a torn last line was cut off\n", p->program->name, o->record);
    return status;
}

enum status point_prepare(struct point *p, struct failure *f)
{
    struct operation *op = &p->operation;
    op->kind = p->program->kind;
    op->row_s = p->options.row_s;
    op->folded = p->options.fold;
    memory_choose_pages((enum pages)p->options.pages);
    if (op->folded)
        memory_fold();
    enum status status = find_image(p, f);
    if (status == STATUS_OK)
        status = op->kind == OPERATOR_MAXPOOL ? shape_maxpool(p, f) : shape_matmul(p, f);
    if (status == STATUS_OK)
        status = company_make(p, f);
    status = point_agree(p, status, f);
    if (status == STATUS_OK)
        status = make_filter(p, f);
    if (status == STATUS_OK)
        status = company_settle(p, f);
    if (status == STATUS_OK && point_is_root(p))
        status = check_outputs(p, f);
    return point_agree(p, status, f);
}
