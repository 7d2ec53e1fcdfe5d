#include "harness/point.h"

#include "harness/show.h"
#include "harness/signals.h"

#include "commit.h"

#include <stdlib.h>

#define VERSION "0.1.0"

/* More workers than can run at once is a fact about the measurement, and said aloud. */
static void warn_about_workers(const struct point *p)
{
    const int64_t capacity = machine_capacity(&p->machine);
    const int64_t threads = p->resources.threads;
    if (threads > capacity)
        fprintf(stderr, "%s: %lld threads share %lld core%s: the times measure that too\n",
                p->program->name, (long long)threads, (long long)capacity,
                capacity == 1 ? "" : "s");
}

static enum status open_instance(struct point *p, struct failure *f)
{
    const struct job job = {.operation = &p->operation,
                            .source = p->source,
                            .threads = p->options.threads,
                            .bind_core = p->options.bind == 1,
                            .min_cost = SPACE_MIN_COST};
    machine_describe(&p->machine); /* before any binding narrows what it sees */
    enum status status = p->program->space->open(&job, &p->instance, &p->resources, f);
    if (status == STATUS_OK)
        warn_about_workers(p);
    return status;
}

/* The map of the last sample: written, shown, explained, as asked. */
static enum status deliver_map(struct point *p, struct failure *f)
{
    const struct options *o = &p->options;
    int64_t first, count;
    const float *map = p->program->space->map(p->instance, &first, &count);
    enum status status = STATUS_OK;
    if (o->print)
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

static enum status deliver_summary(const struct point *p, struct failure *f)
{
    enum status status = STATUS_OK;
    if (p->options.format == FORMAT_TEXT)
        show_summary(stdout, p);
    else if (p->options.format == FORMAT_JSON)
        status = show_json(stdout, p, f);
    if (status == STATUS_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = fail(f, STATUS_OUTPUT, "standard output could not be written");
    return status;
}

static enum status measure(struct point *p, struct failure *f)
{
    enum status status = point_prepare(p, f);
    if (status == STATUS_OK)
        status = open_instance(p, f);
    if (status == STATUS_OK)
        status = point_sample(p, f);
    if (status == STATUS_OK)
        status = deliver_map(p, f);
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

/* What a command line without a measurement asks for. */
static bool answer(const struct program *program, const struct options *o)
{
    if (o->help)
        options_help(stdout, program);
    else if (o->version)
        printf("%s %s (commit %s)\n", program->name, VERSION, MAXPOOL_COMMIT);
    else if (o->list_methods)
        options_list_methods(stdout, program, o->list_methods[0] != 0);
    else
        return false;
    return true;
}

static enum status run(struct point *p, int argc, char **argv, struct failure *f)
{
    enum status status = options_parse(&p->options, p->program, argc, argv, f);
    if (status == STATUS_OK && !p->options.help && !p->options.version)
        status = options_settle(&p->options, p->program, f);
    if (status == STATUS_OK && p->options.format == FORMAT_JSON)
        status = show_json_check(f);
    if (status != STATUS_OK)
        return status;
    if (answer(p->program, &p->options))
        return fflush(stdout) == 0 ? STATUS_OK
                                   : fail(f, STATUS_OUTPUT, "standard output could not be written");
    status = measure(p, f);
    const enum status closed = record_writer_close(p->writer, f);
    point_release(p);
    return status != STATUS_OK ? status : closed;
}

int point_main(const struct program *program, int argc, char **argv)
{
    struct point p = {.program = program};
    struct failure f = {0};
    signals_catch();
    enum status status = run(&p, argc, argv, &f);
    if (status != STATUS_OK)
        fprintf(stderr, "%s: %s\n", program->name, f.message);
    signals_resume();
    return status;
}
