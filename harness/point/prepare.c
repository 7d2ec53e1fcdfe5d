/* Prepares a point from its options: the image, the geometry, the filter and the methods. Checks
 * everything that will be written before any time is spent. */
#include "harness/base/text/screen.h"
#include "harness/machine/memory.h"
#include "harness/point/nearest.h"
#include "harness/point/options/interactive.h"
#include "harness/point/point.h"
#include "harness/point/sampling/selected_methods.h"
#include "harness/point/show/show.h"
#include "harness/point/subject.h"

#include <string.h>

/* ---- parameters that files determine ---------------------------------------------------------
 * The image its channels, a bank of filters its kernel size. Options that contradict them are
 * refused. */

/* Replaces the parameters of the options by those of `found`. Status 2 if one was given and
 * differs: the message names its option, and the option and path of the file. */
static enum status take_from_files(struct options *o, const struct operator_row *kind,
                                   const struct parameters *found, const char *option,
                                   const char *path, struct failure *f)
{
    for (const struct parameter *const *p = kind->parameters; *p; p++) {
        const int64_t asked = parameter_get(*p, &o->parameters), has = parameter_get(*p, found);
        if (asked != has && options_given(o, (*p)->option))
            return fail(f, STATUS_USAGE, "--%s %lld contradicts --%s %s, where it is %lld",
                        (*p)->option, (long long)asked, option, path, (long long)has);
    }
    o->parameters = *found;
    return STATUS_OK;
}

static enum status from_operand(struct point *p, const struct operand_row *row, const char *path,
                                struct failure *f)
{
    struct source *source;
    struct parameters found = p->options.parameters;
    const enum status status = source_open_file(&source, path, f);
    if (status != STATUS_OK)
        return status;
    row->from_file(&found, source_shape(source), source_batch(source));
    source_close(source);
    return take_from_files(&p->options, p->operation.kind, &found, row->option, path, f);
}

/* Takes the parameters that operands from files determine, as this process reads the files. */
static enum status from_operands(struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    const struct operand_row *const *row = p->operation.kind->operands;
    for (; status == STATUS_OK && *row; row++) {
        const char *name = p->options.operands[(*row)->role];
        if ((*row)->from_file && operand_is_file(*row, name))
            status = from_operand(p, *row, name, f);
    }
    return status;
}

/* ---- the image ---------------------------------------------------------------------------------
 */

static enum status open_source(struct point *p, struct failure *f)
{
    const struct options *o = &p->options;
    const struct operator_row *kind = p->operation.kind;
    const struct image_shape sizes = {o->planes, o->rows, o->cols};
    const struct image_shape shape =
        kind->random_shape ? kind->random_shape(&o->parameters, sizes) : sizes;
    if (p->source) /* typed in */
        return STATUS_OK;
    if (o->input) {
        const enum status status = source_open_input(&p->source, o->input, f);
        if (status == STATUS_OK && o->nan)
            source_take_nans(p->source);
        if (status != STATUS_OK)
            return status;
        if (o->gray)
            return source_gray(&p->source, f);
        if (!options_given(o, "plane") && !options_given(o, "axis"))
            return STATUS_OK;
        return source_slice(&p->source, (enum image_axis)o->axis,
                            options_given(o, "plane") ? o->plane : -1, f);
    }
    if (geometry_elements(shape.planes, shape.rows, shape.cols) < 0)
        return fail(f, STATUS_RESOURCE,
                    "an image of %lld x %lld x %lld values cannot be counted in bytes",
                    (long long)shape.planes, (long long)shape.rows, (long long)shape.cols);
    if (o->fold)
        return source_open_folded(&p->source, shape, o->max_value, f);
    return source_open_random(&p->source, shape, (uint64_t)o->seed, o->max_value, f);
}

/* Adapts the source to the operator: takes the parameters that a found image determines, and
 * interleaves its channels if the operator needs that. */
static enum status adapt_source(struct point *p, bool found, struct failure *f)
{
    const struct operator_row *kind = p->operation.kind;
    struct operation op = {.parameters = p->options.parameters};
    enum status status = STATUS_OK;
    if (kind->parameters_from_image && found) {
        kind->parameters_from_image(&op.parameters, source_shape(p->source),
                                    source_batch(p->source));
        status = take_from_files(&p->options, kind, &op.parameters, "input", p->options.input, f);
    }
    return status == STATUS_OK && kind->image_channels
               ? source_interleave(&p->source, kind->image_channels(&op), f)
               : status;
}

/* The root reads the operands' files, and sends the parameters that they determine to every
 * process. */
static enum status take_known(struct point *p, struct failure *f)
{
    const struct processes *processes = p->program->space->processes;
    enum status status = point_is_root(p) ? from_operands(p, f) : STATUS_OK;
    status = point_common_status(p, status, f);
    if (status == STATUS_OK)
        processes_broadcast(processes, &p->options.parameters, sizeof p->options.parameters);
    return status;
}

/* Opens the image: a random one in every process, any other only in the root, which sends its
 * shape. */
static enum status find_image(struct point *p, struct failure *f)
{
    const struct processes *processes = p->program->space->processes;
    const bool random = !p->options.input && !p->options.interactive;
    enum status status = STATUS_OK;
    if (p->program->subject)
        return point_common_status(p, p->program->subject->find(p, f), f);
    if (p->options.interactive) {
        if (point_is_root(p))
            status = interactive_ask(&p->options, p->operation.kind, &p->source, f);
        status = point_common_status(p, status, f);
        if (status == STATUS_OK)
            options_broadcast(&p->options, processes);
    } else
        status = take_known(p, f);
    if (status == STATUS_OK && (random || point_is_root(p)))
        status = open_source(p, f);
    if (status == STATUS_OK && p->source)
        status = adapt_source(p, !random, f);
    status = point_common_status(p, status, f);
    if (status == STATUS_OK && p->source)
        p->operation.image = source_shape(p->source);
    if (status == STATUS_OK) {
        processes_broadcast(processes, &p->operation.image, sizeof p->operation.image);
        processes_broadcast(processes, &p->options.parameters, sizeof p->options.parameters);
    }
    return status;
}

static enum status find_shapes(struct point *p, struct failure *f)
{
    struct operation *op = &p->operation;
    op->parameters = p->options.parameters;
    const struct refusal refusal = op->kind->shape(op);
    return refusal_fail(&refusal, f);
}

/* Makes an operand of the operator, in every process. */
static enum status make_operand(struct point *p, const struct operand_row *row, struct failure *f)
{
    struct operand *operand = &p->operation.operands[row->role];
    enum status status = STATUS_OK;
    operand->name = p->options.operands[row->role];
    if (point_is_root(p))
        status = operand_make(operand, row, &p->operation, p->source, (uint64_t)p->options.seed, f);
    status = point_common_status(p, status, f);
    if (status == STATUS_OK)
        status = operand_broadcast(operand, row, p->program->space->processes, f);
    return status == STATUS_OK && row->any_rows
               ? find_shapes(p, f) /* now that the rows are known */
               : status;
}

/* Makes all operands, and checks that they match the parameters. */
static enum status make_operands(struct point *p, struct failure *f)
{
    struct operation *op = &p->operation;
    const struct operand_row *const *row = op->kind->operands;
    enum status status = STATUS_OK;
    for (; status == STATUS_OK && *row; row++)
        status = make_operand(p, *row, f);
    const char *refusal = status == STATUS_OK && op->kind->refuses ? op->kind->refuses(op) : NULL;
    return refusal ? fail(f, STATUS_USAGE, "%s", refusal) : status;
}

/* Refuses --show-indices if its output would exceed a page or two. */
static enum status check_indices(const struct point *p, struct failure *f)
{
    enum { MOST = 1024 };
    const struct operation *op = &p->operation;
    const bool window = p->options.device.offload != OFFLOAD_IMAGE;
    const struct image_shape shape = window ? operation_right(op)->shape : op->map;
    const double elements = (double)shape.planes * (double)shape.rows * (double)shape.cols;
    if (elements <= MOST)
        return STATUS_OK;
    return fail(f, STATUS_USAGE,
                "--show-indices is for small products: up to %d elements, not %.0f", MOST,
                elements);
}

struct sink_map point_sink_map(const struct point *p)
{
    const struct operation *op = &p->operation;
    const int64_t nearest = p->options.nearest;
    return (struct sink_map){nearest > 0 ? nearest_shape(op, nearest) : map_planes(op),
                             op->kind->map_channels ? op->map.planes : 0, NULL};
}

/* A map must not replace a file that the point reads, as the verdict will read it again. */
static enum status check_map(const struct point *p, struct failure *f)
{
    const struct options *o = &p->options;
    const struct sink_map m = point_sink_map(p);
    const char *read = o->input && sink_replaces(o->output, &m, o->input) ? o->input : NULL;
    for (size_t i = 0; i < OPERAND_COUNT; i++)
        if (o->operands[i] && sink_replaces(o->output, &m, o->operands[i]))
            read = o->operands[i];
    if (read)
        return fail(f, STATUS_USAGE, "-o %s would replace %s, which is read: write another file",
                    o->output, read);
    return sink_check(o->output, &m, f);
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
    if (status == STATUS_OK && o->nearest > 0)
        status = nearest_check(&p->operation, o->nearest, f);
    if (status == STATUS_OK && o->output)
        status = check_map(p, f);
    if (status == STATUS_OK && o->record)
        status = record_writer_open(&p->writer, o->record, &torn, f);
    if (torn)
        screen_say(stderr, N_("%{program}: %{file}: a torn last line was cut off\n"),
                   WITH({"program", p->program->name}, {"file", o->record}));
    return status;
}

enum status point_prepare(struct point *p, struct failure *f)
{
    struct operation *op = &p->operation;
    op->kind = operator_selected(p->program->kind, &p->options.parameters);
    p->simulated = (struct simulated){.row_s = p->options.row_s,
                                      .product_s = p->options.product_row_s,
                                      .sum_s = p->options.sum_s,
                                      .update_s = p->options.update_s,
                                      .folded = p->options.fold};
    p->dry_run = simulated_dry_run(&p->simulated);
    memory_choose_pages((enum pages)p->options.pages);
    if (p->simulated.folded)
        memory_fold();
    enum status status = find_image(p, f);
    if (status == STATUS_OK)
        status = find_shapes(p, f);
    if (status == STATUS_OK)
        status = selected_methods_make(p, f);
    status = point_common_status(p, status, f);
    if (status == STATUS_OK)
        status = make_operands(p, f);
    if (status == STATUS_OK)
        status = selected_methods_settle(p, f);
    if (status == STATUS_OK && point_is_root(p))
        status = check_outputs(p, f);
    return point_common_status(p, status, f);
}
