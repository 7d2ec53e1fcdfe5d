/* Fills the record's columns: the point's, then each sample's. */
#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "harness/point/sampling/sample.h"
#include "harness/point/sampling/selected_methods.h"
#include "harness/point/subject.h"
#include "harness/space/parameters.h"

#include "commit.h"

#include <string.h>

static void copy_text(char *field, const char *text)
{
    snprintf(field, RECORD_TEXT, "%s", text);
}

static bool has_random_operand(const struct operation *op)
{
    for (const struct operand_row *const *row = op->kind->operands; *row; row++)
        if (strcmp(op->operands[(*row)->role].name, "random") == 0)
            return true;
    return false;
}

static void fill_operator(struct record *r, const struct point *p, const struct operation *op)
{
    const struct options *o = &p->options;
    copy_text(r->operator_name, p->program->kind->name); /* its parameters select op->kind */
    copy_text(r->method, operation_method(op));
    const struct image_shape image = image_planes(op);
    r->planes = image.planes;
    r->rows = image.rows;
    r->cols = image.cols;
    record_parameters(r, op->kind, &op->parameters);
    record_operands(r, op);
    copy_text(r->input, source_name(p->source));
    if (!o->input && strcmp(source_name(p->source), "random") == 0)
        r->max_value = o->max_value;
    if (r->max_value != RECORD_NO_INT || has_random_operand(op))
        r->seed = o->seed;
}

/* How an operator's image is sent to a GPU, in the words of the options. */
static void fill_offload(struct record *r, const struct point *p)
{
    static const char *const offloads[] = {"image", "window", "window-lean"};
    const struct options *o = &p->options;
    if (p->operation.kind->windows_go_alone)
        copy_text(r->offload, offloads[o->device.offload]);
    copy_text(r->filter_memory,
              o->device.filter_memory == FILTER_CONSTANT ? "constant" : "transferred");
    r->streams = o->device.streams;
}

/* Fills the columns of GPU programs. */
static void fill_device(struct record *r, const struct point *p, const struct resources *resources)
{
    const struct options *o = &p->options;
    if (!resources->device)
        return;
    copy_text(r->device, resources->device);
    copy_text(r->host_memory, o->device.host_memory == HOST_PINNED ? "pinned" : "pageable");
    if (!p->program->subject)
        fill_offload(r, p);
    if (options_given(o, "submit"))
        copy_text(r->submit, o->device.submit == SUBMIT_GRAPH ? "graph" : "single");
    if (options_given(o, "overlap"))
        copy_text(r->overlap, o->device.overlaps ? "on" : "off");
    r->block = o->device.block;
    r->chunks = resources->chunks;
    copy_text(r->cache, o->device.warm_cache ? "warm" : "flushed");
}

static void fill_row(const struct point *p, struct contender *c)
{
    struct record *r = &c->measurement.row;
    const struct resources *resources = &c->resources;
    *r = record_empty();
    copy_text(r->experiment, p->options.experiment ? p->options.experiment : "");
    copy_text(r->program, p->program->name);
    copy_text(r->space, p->program->space->name);
    fill_operator(r, p, &c->operation);
    if (p->program->subject)
        p->program->subject->fill_row(r, p);
    r->ranks = resources->ranks;
    r->threads = resources->threads;
    r->nodes = resources->nodes;
    copy_text(r->isa, resources->isa);
    if (options_given(&p->options, "isa"))
        copy_text(r->isa_limit, isa_option((enum isa)p->options.isa));
    copy_text(r->bind, binding_options[p->options.bind]);
    copy_text(r->binding, resources->bind);
    if (options_given(&p->options, "pages"))
        copy_text(r->pages_asked, pages_option((enum pages)p->options.pages));
    if (options_given(&p->options, "parallel"))
        copy_text(r->parallel, p->options.parallel == PARALLEL_PRODUCT ? "product" : "all");
    copy_text(r->pages, resources->pages ? resources->pages : "");
    copy_text(r->launch, resources->launch);
    copy_text(r->distribution, resources->distribution ? resources->distribution : "");
    fill_device(r, p, resources);
    r->round = p->options.round;
    if (!p->program->emulated)
        r->setup_s = resources->setup_s;
    copy_text(r->platform, p->program->emulated  ? emulated_device
                           : p->options.platform ? p->options.platform
                                                 : "");
    if (p->simulated.row_s > 0.0)
        r->row_s = p->simulated.row_s;
    copy_text(r->host, p->machine.host);
    copy_text(r->commit, MAXPOOL_COMMIT);
    r->repeats = 1;
}

void rows_fill(struct point *p)
{
    char run_id[RECORD_TEXT], together[RECORD_TEXT];
    record_name_run(run_id, RECORD_TEXT, p->machine.host);
    selected_methods_text(p, "+", together, sizeof together);
    for (size_t i = 0; i < p->contender_count; i++) {
        struct record *r = &p->contenders[i].measurement.row;
        fill_row(p, &p->contenders[i]);
        copy_text(r->run_id, run_id);
        copy_text(r->company, p->contender_count > 1 ? together : "");
    }
}

void row_fill_sample(struct record *r, const struct phases *phases, const char *verified)
{
#define PHASE(constant, field, ...) r->field = phases->field;
#include "harness/records/columns.inc"
    r->clock_mhz = phases->clock_mhz;
    r->power_w = phases->power_w;
    copy_text(r->throttle, phases->throttle);
    r->throttle_rank = phases->throttle_rank;
    copy_text(r->verified, verified);
    clock_utc(r->time_utc, sizeof r->time_utc);
}
