/* From options to a point that can be measured: the image, the geometry, the filter, the
 * methods, and a check of everything that is to be written, before any time is spent. */
#include "harness/machine/memory.h"
#include "harness/point/company.h"
#include "harness/point/interactive.h"
#include "harness/point/point.h"
#include "harness/point/show.h"
#include "harness/point/subject.h"

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
    if (p->program->subject)
        return point_agree(p, p->program->subject->find(p, f), f);
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

static enum status find_shapes(struct point *p, struct failure *f)
{
    struct operation *op = &p->operation;
    op->parameters = p->options.parameters;
    const struct refusal refusal = op->kind->shape(op);
    return refusal_fail(&refusal, f);
}

/* The second operand, where the operator has one; and whether it goes with the parameters. */
static enum status make_second(struct point *p, struct failure *f)
{
    struct operation *op = &p->operation;
    const struct operand_row *row = &op->kind->second;
    enum status status = STATUS_OK;
    if (row->option) {
        op->second.name = p->options.second;
        if (point_is_root(p))
            status = operand_make(&op->second, row, row->shape(op), (uint64_t)p->options.seed, f);
        status = point_agree(p, status, f);
        if (status == STATUS_OK)
            status = operand_share(&op->second, row, p->program->space->processes, f);
    }
    const char *refusal = status == STATUS_OK && op->kind->refuses ? op->kind->refuses(op) : NULL;
    return refusal ? fail(f, STATUS_USAGE, "%s", refusal) : status;
}

/* --show-indices is a page or two of text, or too much. */
static enum status check_indices(const struct point *p, struct failure *f)
{
    enum { MOST = 1024 };
    const struct operation *op = &p->operation;
    const bool window = p->options.device.offload != OFFLOAD_IMAGE;
    const struct image_shape shape = window ? op->second.shape : op->map;
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
        status = find_shapes(p, f);
    if (status == STATUS_OK)
        status = company_make(p, f);
    status = point_agree(p, status, f);
    if (status == STATUS_OK)
        status = make_second(p, f);
    if (status == STATUS_OK)
        status = company_settle(p, f);
    if (status == STATUS_OK && point_is_root(p))
        status = check_outputs(p, f);
    return point_agree(p, status, f);
}
