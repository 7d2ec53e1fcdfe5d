/* A network in the memory of one process: its images, and what runs. */
#include "networks/point/network_run.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "networks/layers/conv_choices.h"

#include <stdlib.h>

struct instance {
    const struct network_run *run;
    struct forward forward;
    float *images; /* its own; NULL: those of the first method's instance */
};

struct forward *network_forward(struct instance *in)
{
    return &in->forward;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* All cells of the source, in order. */
static enum status fill(float *images, struct source *source, struct image_facts *facts,
                        struct failure *f)
{
    const struct image_shape s = source_shape(source);
    struct image_range plane = {.rows = s.rows, .cols = s.cols};
    enum status status = STATUS_OK;
    *facts = IMAGE_FACTS_NONE;
    for (; status == STATUS_OK && plane.plane < s.planes; plane.plane++)
        status =
            source_read(source, &plane, images + plane.plane * s.rows * s.cols, s.cols, facts, f);
    return status;
}

static enum status open_images(struct instance *in, const struct job *job,
                               struct resources *resources, struct failure *f)
{
    const size_t bytes = (size_t)shape_cells(job->operation->image) * sizeof(float);
    enum status status = memory_allocate((void **)&in->images, bytes, "the images", f);
    if (status == STATUS_OK)
        status = fill(in->images, job->source, &resources->facts, f);
    in->forward.input = in->images;
    resources->pages = status == STATUS_OK ? memory_pages(in->images, bytes) : NULL;
    return status;
}

/* The plan by the operation's method. */
static enum status open_forward(struct instance *in, const struct operation *op, struct team team,
                                struct resources *resources, struct failure *f)
{
    const struct network_run *run = in->run;
    in->forward.team = team;
    in->forward.clocked = run->clocked;
    in->forward.plan = (struct plan){.network = &run->network,
                                     .parameters = run->parameters,
                                     .batch = run->batch,
                                     .whole_batch = run->batch,
                                     .isa = op->isa,
                                     .forced = conv_method_find(operation_method(op))};
    const enum status status = forward_open(&in->forward, f);
    resources->isa = isa_name(op->isa);
    resources->deal = (struct deal){.workers = team.workers};
    resources->scratch_bytes = (int64_t)forward_scratch_bytes(&in->forward);
    return status;
}

enum status network_open(const struct job *job, struct team team, struct instance **out,
                         struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    *out = NULL;
    struct instance *in = calloc(1, sizeof *in);
    if (!in)
        return fail(f, STATUS_RESOURCE, "no memory for an instance");
    in->run = network_run_of(job->operation);
    enum status status = open_images(in, job, resources, f);
    if (status == STATUS_OK)
        status = open_forward(in, job->operation, team, resources, f);
    if (status != STATUS_OK) {
        network_close(in);
        return status;
    }
    resources->setup_s = clock_now() - start;
    *out = in;
    return STATUS_OK;
}

enum status network_join(struct instance *first, const struct operation *operation,
                         struct instance **out, struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    *out = NULL;
    struct instance *in = calloc(1, sizeof *in);
    if (!in)
        return fail(f, STATUS_RESOURCE, "no memory for an instance");
    in->run = first->run;
    in->forward.input = first->forward.input;
    const enum status status = open_forward(in, operation, first->forward.team, resources, f);
    if (status != STATUS_OK) {
        network_close(in);
        return status;
    }
    resources->setup_s = clock_now() - start;
    *out = in;
    return STATUS_OK;
}

void network_close(struct instance *in)
{
    if (!in)
        return;
    forward_close(&in->forward);
    free(in->images);
    free(in);
}

/* ---- running ----------------------------------------------------------------------------------
 */

void network_poison(struct instance *in)
{
    forward_poison(&in->forward);
}

enum status network_execute_batch(struct instance *in, int64_t repeats, struct phases *phases,
                                  struct failure *f)
{
    (void)f;
    const double start = clock_now();
    for (int64_t i = 0; i < repeats; i++)
        forward_run(&in->forward);
    const double seconds = (clock_now() - start) / (double)repeats;
    *phases = phases_none();
    phases->distribute_s = phases->collect_s = 0.0;
    phases->compute_s = phases->total_s = seconds;
    return STATUS_OK;
}

enum status network_execute(struct instance *in, struct phases *phases, struct failure *f)
{
    return network_execute_batch(in, 1, phases, f);
}

const float *network_map(const struct instance *in, int64_t *first, int64_t *count)
{
    *first = 0;
    *count = forward_outputs(&in->forward);
    return in->forward.output;
}
