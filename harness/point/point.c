#include "harness/point/point.h"

#include "harness/base/signals.h"
#include "harness/machine/memory.h"
#include "harness/point/show.h"

#include "commit.h"

#include <stdlib.h>

#define VERSION "0.1.0"

bool point_is_root(const struct point *p)
{
    return processes_are_root(p->program->space->processes);
}

enum status point_agree(const struct point *p, enum status status, struct failure *f)
{
    return processes_agree(p->program->space->processes, status, f);
}

void point_join_signals(const struct point *p)
{
    signals_join(processes_largest(p->program->space->processes, signals_caught()));
}

/* More workers than can run at once is a fact about the measurement; a space of several processes
 * has looked at all of them itself. */
static void look_at_workers(struct point *p)
{
    struct resources *r = &p->resources;
    const int64_t capacity = machine_capacity(&p->machine);
    if (p->program->space->processes || r->threads <= capacity)
        return;
    r->bind = "shared";
    snprintf(r->warning, sizeof r->warning,
             "%lld threads share %lld core%s: the times measure that too", (long long)r->threads,
             (long long)capacity, capacity == 1 ? "" : "s");
}

/* A small file that unpacks to a large image may take far longer to read than its size makes one
 * expect: that is told before, and takes --max-seconds at most. */
static void limit_unpacking(struct point *p)
{
    enum { LARGE = 256 << 20, FOLD = 64 };
    const struct image_shape *image = &p->operation.image;
    const int64_t packed = p->source ? source_packed_bytes(p->source) : 0;
    const int64_t bytes = image->planes * image->rows * image->cols * (int64_t)sizeof(float);
    if (packed == 0 || bytes < LARGE || bytes / FOLD < packed)
        return;
    char from[32], to[32];
    memory_text(from, sizeof from, (double)packed);
    memory_text(to, sizeof to, (double)bytes);
    fprintf(stderr,
            "%s: %s: %s that unpack to an image of %s; after --max-seconds %g the reading ends\n",
            p->program->name, source_name(p->source), from, to, p->options.max_seconds);
    source_limit(p->source, p->options.max_seconds);
}

static enum status open_instance(struct point *p, struct failure *f)
{
    const struct job job = {.operation = &p->operation,
                            .source = p->source,
                            .threads = p->options.threads,
                            .bind_core = p->options.bind == 1,
                            .distribution = (enum distribution)p->options.distribute,
                            .per_rank = p->options.per_rank,
                            .device = p->options.device,
                            .min_cost = SPACE_MIN_COST};
    machine_describe(&p->machine); /* before any binding narrows what it sees */
    limit_unpacking(p);
    enum status status = p->program->space->open(&job, &p->instance, &p->resources, f);
    if (p->source)
        source_limit(p->source, 0.0);
    if (status != STATUS_OK)
        return status;
    look_at_workers(p);
    if (point_is_root(p) && p->resources.warning[0])
        fprintf(stderr, "%s: %s\n", p->program->name, p->resources.warning);
    return STATUS_OK;
}

/* The whole map, in the root. */
static enum status whole_map(const struct point *p, const float **map, struct failure *f)
{
    const struct space *space = p->program->space;
    int64_t first, count;
    if (space->gather)
        return space->gather(p->instance, map, f);
    *map = space->map(p->instance, &first, &count);
    return STATUS_OK;
}

/* The map of the last sample: written, shown, explained, as asked. */
static enum status deliver_map(struct point *p, struct failure *f)
{
    const struct options *o = &p->options;
    const float *map = NULL;
    enum status status = STATUS_OK;
    if (o->print || o->output)
        status = whole_map(p, &map, f);
    if (!point_is_root(p))
        return status;
    if (status == STATUS_OK && o->print)
        status = show_image(stdout, p, f);
    if (status == STATUS_OK && o->explain)
        status = show_explain(stdout, p, f);
    if (status == STATUS_OK && o->print)
        show_map(stdout, p, map);
    if (status == STATUS_OK && o->output)
        status =
            sink_write(o->output, p->operation.map, map, p->output_note, sizeof p->output_note, f);
    return status;
}

/* What the space itself tells, as asked. */
static enum status deliver_topics(struct point *p, struct failure *f)
{
    const struct options *o = &p->options;
    const struct space *space = p->program->space;
    enum status status = STATUS_OK;
    if (o->show_indices)
        status = space->tell(p->instance, SPACE_INDICES, stdout, f);
    if (status == STATUS_OK && o->kernel_facts)
        status = space->tell(p->instance, SPACE_KERNEL_FACTS, stdout, f);
    return status;
}

static enum status deliver_summary(struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    if (!point_is_root(p))
        return STATUS_OK;
    if (p->options.format == FORMAT_TEXT)
        show_summary(stdout, p);
    else if (p->options.format == FORMAT_JSON)
        status = show_json(stdout, p, f);
    if (status == STATUS_OK)
        status = deliver_topics(p, f);
    if (status == STATUS_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = fail(f, STATUS_OUTPUT, "standard output could not be written");
    return status;
}

static enum status measure(struct point *p, struct failure *f)
{
    const struct space *space = p->program->space;
    enum status status = space->available ? space->available(f) : STATUS_OK;
    if (status == STATUS_OK)
        status = point_prepare(p, f);
    if (status == STATUS_OK)
        status = open_instance(p, f);
    if (status == STATUS_OK)
        status = point_sample(p, f);
    if (status == STATUS_OK)
        status = point_agree(p, deliver_map(p, f), f);
    if (status == STATUS_OK || (status == STATUS_WRONG && p->measurement.count > 0)) {
        const enum status delivered = deliver_summary(p, f);
        status = status == STATUS_OK ? delivered : status;
    }
    return status;
}

void point_release(struct point *p)
{
    p->program->space->close(p->instance);
    verifier_free(p->verifier);
    filter_release(&p->operation.filter);
    source_close(p->source);
    free(p->measurement.timed);
}

/* Does the command line ask for something other than a measurement? */
static bool asks(const struct options *o)
{
    return o->help || o->version || o->list_methods;
}

static enum status answer(const struct program *program, const struct options *o, struct failure *f)
{
    const struct space *space = program->space;
    if (o->list_methods && !o->list_methods[0] && space->available) { /* runnable ones were asked */
        const enum status status = space->available(f);
        if (status != STATUS_OK)
            return status;
    }
    if (o->help)
        options_help(stdout, program);
    else if (o->version)
        printf("%s %s (commit %s)\n", program->name, VERSION, MAXPOOL_COMMIT);
    else
        options_list_methods(stdout, program, o->list_methods[0] != 0);
    return fflush(stdout) == 0 ? STATUS_OK
                               : fail(f, STATUS_OUTPUT, "standard output could not be written");
}

/* The options, the same in every process. */
static enum status read_options(struct point *p, int argc, char **argv, struct failure *f)
{
    enum status status = options_parse(&p->options, p->program, argc, argv, f);
    if (status == STATUS_OK && !p->options.help && !p->options.version)
        status = options_settle(&p->options, p->program, f);
    if (status == STATUS_OK && p->options.format == FORMAT_JSON)
        status = show_json_check(f);
    status = point_agree(p, status, f);
    return status != STATUS_OK ? status
                               : processes_same_arguments(p->program->space->processes,
                                                          p->program->name, argc, argv, f);
}

static enum status run(struct point *p, int argc, char **argv, struct failure *f)
{
    enum status status = read_options(p, argc, argv, f);
    if (status != STATUS_OK)
        return status;
    if (asks(&p->options)) {
        status = point_is_root(p) ? answer(p->program, &p->options, f) : STATUS_OK;
        return point_agree(p, status, f);
    }
    status = measure(p, f);
    const enum status closed = record_writer_close(p->writer, f);
    point_release(p);
    return point_agree(p, status != STATUS_OK ? status : closed, f);
}

int point_main(const struct program *program, int argc, char **argv)
{
    const struct processes *processes = program->space->processes;
    struct point p = {.program = program};
    struct failure f = {0};
    enum status status = processes_begin(processes, &argc, &argv, &f);
    if (status != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", program->name, f.message);
        return status;
    }
    signals_ignore_file_limit();
    status = run(&p, argc, argv, &f);
    if (status != STATUS_OK && point_is_root(&p))
        fprintf(stderr, "%s: %s\n", program->name, f.message);
    point_join_signals(&p);
    processes_end(processes);
    signals_resume();
    return status;
}
