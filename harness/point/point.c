#include "harness/point/point.h"

#include "harness/base/descriptors.h"
#include "harness/base/signals.h"
#include "harness/base/text/screen.h"
#include "harness/base/text/wording.h"
#include "harness/machine/memory.h"
#include "harness/point/nearest.h"
#include "harness/point/sampling/conditions.h"
#include "harness/point/sampling/sample.h"
#include "harness/point/show/show.h"
#include "harness/point/subject.h"
#include "kernels/interleave.h"

#include "commit.h"

#include <stdlib.h>
#include <string.h>

#define VERSION "0.1.0"

/* Returns the whole map in the root. */
static enum status whole_map(const struct point *p, const float **map, struct failure *f)
{
    const struct space *space = p->program->space;
    int64_t first, count;
    struct instance *instance = p->contenders[0].instance;
    if (space->gather)
        return space->gather(instance, map, f);
    *map = space->map(instance, &first, &count);
    return STATUS_OK;
}

/* Returns the map plane by plane: itself, or a copy in *own, which the caller frees. */
static enum status map_by_planes(const struct point *p, const float **map, float **own,
                                 struct failure *f)
{
    const struct operation *op = &p->operation;
    const struct image_shape planes = map_planes(op);
    const int64_t channels = planes.planes / op->map.planes;
    *own = NULL;
    if (channels == 1)
        return STATUS_OK;
    const size_t bytes = (size_t)shape_elements(planes) * sizeof(float);
    const enum status status = memory_allocate((void **)own, bytes, "the map plane by plane", f);
    if (status == STATUS_OK) {
        deinterleave(*map, planes, channels, *own);
        *map = *own;
    }
    return status;
}

static enum status write_map(struct point *p, const float *map, struct failure *f)
{
    const struct operation *op = &p->operation;
    const int64_t nearest = p->options.nearest;
    struct sink_map m = point_sink_map(p);
    float *own = NULL;
    enum status status = STATUS_OK;
    m.elements = map;
    if (nearest > 0)
        status = memory_allocate((void **)&own, (size_t)shape_elements(m.shape) * sizeof *own,
                                 "the nearest points", f);
    if (own) {
        nearest_find(op, map, nearest, own);
        m.elements = own;
    }
    if (status == STATUS_OK)
        status = sink_write_batch(p->options.output, &m, p->output_note, sizeof p->output_note, f);
    p->written = status == STATUS_OK;
    free(own);
    return status;
}

static bool subject_shows(const struct point *p)
{
    const struct subject *subject = p->program->subject;
    return subject && subject->shows(p);
}

/* Shows, explains and writes what is requested; called by the root. */
static enum status present(struct point *p, const float *map, struct failure *f)
{
    const struct options *o = &p->options;
    float *own = NULL;
    enum status status = map ? map_by_planes(p, &map, &own, f) : STATUS_OK;
    if (status == STATUS_OK && o->print)
        status = show_image(stdout, p, f);
    if (status == STATUS_OK && o->explain)
        status = show_explain(stdout, p, f);
    if (status == STATUS_OK && o->print)
        show_map(stdout, p, map);
    if (status == STATUS_OK && subject_shows(p))
        p->program->subject->show(stdout, p, map);
    if (status == STATUS_OK && o->output)
        status = write_map(p, map, f);
    free(own);
    return status;
}

/* Delivers the first method's map, if it is requested. */
static enum status deliver_map(struct point *p, struct failure *f)
{
    const struct options *o = &p->options;
    const float *map = NULL;
    const bool wanted = o->print || o->output || subject_shows(p);
    enum status status = STATUS_OK;
    if (wanted)
        status = sample_restore(p, &p->contenders[0], f);
    if (status == STATUS_OK && wanted)
        status = whole_map(p, &map, f);
    return status == STATUS_OK && point_is_root(p) ? present(p, map, f) : status;
}

/* Prints what the space itself reports about a method, if requested. */
static enum status deliver_topics(struct point *p, const struct contender *c, struct failure *f)
{
    const struct options *o = &p->options;
    const struct space *space = p->program->space;
    enum status status = STATUS_OK;
    if (p->contender_count > 1 && o->show_indices)
        printf("\n%s %s\n", screen_text(N_("Method")), operation_method(&c->operation));
    if (o->show_indices)
        status = space->describe(c->instance, SPACE_INDICES, stdout, f);
    if (status == STATUS_OK && o->device.count && c == p->contenders) /* of all methods */
        status = space->describe(c->instance, SPACE_COUNTS, stdout, f);
    if (status == STATUS_OK && o->kernel_facts &&
        c == p->contenders) /* the kernels of all methods */
        status = space->describe(c->instance, SPACE_KERNEL_FACTS, stdout, f);
    return status;
}

static enum status deliver_summary(struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    if (!point_is_root(p))
        return STATUS_OK;
    const char *count = p->options.device.count;
    const bool is_file =
        count && count[0] && strcmp(count, "lines") != 0 && strcmp(count, "explain") != 0;
    if (p->options.format == FORMAT_TEXT && !is_file)
        show_summary(stdout, p);
    else if (p->options.format == FORMAT_JSON)
        status = show_json(stdout, p, f);
    for (size_t i = 0; status == STATUS_OK && i < p->contender_count; i++)
        status = deliver_topics(p, &p->contenders[i], f);
    if (status == STATUS_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = fail(f, STATUS_OUTPUT, "standard output could not be written");
    return status;
}

static bool anything_measured(const struct point *p)
{
    for (size_t i = 0; i < p->contender_count; i++)
        if (p->contenders[i].measurement.count > 0)
            return true;
    return false;
}

/* Shows what was measured, even if a part of it is wrong; the map is delivered only if it is
 * right. */
static enum status deliver(struct point *p, enum status sampled, struct failure *f)
{
    enum status status = STATUS_OK;
    if (p->contenders[0].measurement.verdict.status == STATUS_OK)
        status = point_common_status(p, deliver_map(p, f), f);
    if (status == STATUS_OK && p->program->subject)
        status = point_common_status(p, p->program->subject->deliver(p, f), f);
    if (status == STATUS_OK && (sampled == STATUS_OK || anything_measured(p)))
        status = deliver_summary(p, f);
    return status;
}

static enum status measure(struct point *p, struct failure *f)
{
    const struct space *space = p->program->space;
    enum status status = space->available ? space->available(f) : STATUS_OK;
    conditions_watch(p);
    if (status == STATUS_OK)
        status = point_prepare(p, f);
    if (status == STATUS_OK)
        status = point_open(p, f);
    if (status == STATUS_OK)
        status = point_sample(p, f);
    if (status == STATUS_OK || status == STATUS_WRONG) {
        struct failure later = {0};
        const enum status delivered = deliver(p, status, &later);
        if (status == STATUS_OK && delivered != STATUS_OK)
            status = fail(f, delivered, "%s", later.message);
    }
    return status;
}

static void point_release(struct point *p)
{
    for (size_t i = p->contender_count; i-- > 0;) {
        p->program->space->close(p->contenders[i].instance);
        free(p->contenders[i].packed);
        verifier_free(p->contenders[i].verifier);
        free(p->contenders[i].measurement.timed);
        free(p->contenders[i].measurement.sorting);
    }
    free(p->contenders);
    if (p->program->subject)
        p->program->subject->release(p);
    verifier_free(p->verifier);
    for (int role = 0; role < OPERAND_COUNT; role++)
        operand_release(&p->operation.operands[role]);
    source_close(p->source);
}

/* True if the command line requests something other than a measurement. */
static bool is_query(const struct options *o)
{
    return o->help || o->version || o->list_methods || o->list_networks;
}

static enum status answer(const struct program *program, const struct options *o, struct failure *f)
{
    const struct space *space = program->space;
    if (o->list_methods && !o->list_methods[0] && space->available) { /* runnable ones only */
        struct failure why = {0};
        const enum status status = space->available(&why);
        if (status != STATUS_OK)
            return fail(f, status, "%s; --list-methods=all lists the methods all the same",
                        why.message);
    }
    if (o->help)
        options_help(stdout, program, o->help[0] != 0);
    else if (o->version)
        printf("%s %s (commit %s)\n", program->name, VERSION, MAXPOOL_COMMIT);
    else if (o->list_networks)
        program->subject->list(stdout);
    else
        options_list_methods(stdout, program, o->list_methods[0] != 0);
    return fflush(stdout) == 0 ? STATUS_OK
                               : fail(f, STATUS_OUTPUT, "standard output could not be written");
}

/* Reads the options, which must be the same in every process. */
static enum status read_options(struct point *p, int argc, char **argv, struct failure *f)
{
    enum status status = options_parse(&p->options, p->program, argc, argv, f);
    if (status == STATUS_OK && !p->options.help && !p->options.version)
        status = options_settle(&p->options, p->program, f);
    if (status == STATUS_OK && p->options.format == FORMAT_JSON)
        status = show_json_check(f);
    status = point_common_status(p, status, f);
    return status != STATUS_OK ? status
                               : processes_same_arguments(p->program->space->processes,
                                                          p->program->name, argc, argv, f);
}

static enum status run(struct point *p, int argc, char **argv, struct failure *f)
{
    enum status status = read_options(p, argc, argv, f);
    if (status != STATUS_OK)
        return status;
    if (is_query(&p->options)) {
        status = point_is_root(p) ? answer(p->program, &p->options, f) : STATUS_OK;
        return point_common_status(p, status, f);
    }
    status = measure(p, f);
    const enum status closed = record_writer_close(p->writer, f);
    point_release(p);
    return point_common_status(p, status != STATUS_OK ? status : closed, f);
}

int point_main(const struct program *program, int argc, char **argv)
{
    const struct processes *processes = program->space->processes;
    struct point p = {.program = program};
    struct failure f = {0};
    descriptors_secure();
    screen_choose_early(argc, argv);
    enum status status = processes_begin(processes, &argc, &argv, &f);
    if (status != STATUS_OK) {
        if (processes_are_root(processes))
            wording_complain(program->name, f.message);
        return status;
    }
    signals_ignore_file_limit();
    status = run(&p, argc, argv, &f);
    if (status != STATUS_OK && point_is_root(&p))
        wording_complain(program->name, f.message);
    point_join_signals(&p);
    processes_end(processes);
    signals_resume();
    return status;
}
