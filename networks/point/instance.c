#include "networks/point/instance.h"

#include "harness/base/clock.h"
#include "harness/machine/memory.h"
#include "networks/layers/conv_choices.h"
#include "networks/point/training/training.h"

#include <math.h>
#include <stdlib.h>

struct forward *network_forward(struct instance *in)
{
    struct training *training = in->run->training;
    return training ? &training->trainer.forward : &in->forward;
}

int64_t network_workers(const struct instance *in)
{
    return in->team.workers > 0 ? in->team.workers : in->forward.team.workers;
}

double instance_step_ulps(const struct instance *in, int step)
{
    const struct training *training = in->run->training;
    const struct error_tally *errors = training ? training->errors : in->errors;
    return errors ? error_tally_ulps(&errors[step]) : (double)NAN;
}

/* ---- parts ------------------------------------------------------------------------------------
 */

struct image_span network_span(int64_t batch, int rank, int ranks)
{
    const int64_t least = batch / ranks, more = batch % ranks;
    const int64_t first = rank * least + (rank < more ? rank : more);
    return (struct image_span){first, least + (rank < more ? 1 : 0)};
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* Reads images from the source: planes, or for vectors rows of a single plane. */
static enum status fill(float *images, const struct network_run *run, struct image_span span,
                        struct source *source, struct image_facts *facts, struct failure *f)
{
    const struct image_shape s = source_shape(source);
    const int64_t planes = run->images.vectors ? 1 : span.count * run->network.input.channels;
    const int64_t first = run->images.vectors ? 0 : span.first * run->network.input.channels;
    const int64_t rows = run->images.vectors ? span.count : s.rows;
    struct image_range range = {
        .row = run->images.vectors ? span.first : 0, .rows = rows, .cols = s.cols};
    enum status status = STATUS_OK;
    for (int64_t i = 0; status == STATUS_OK && i < planes; i++) {
        range.plane = first + i;
        status = source_read(source, &range, images + i * rows * s.cols, s.cols, facts, f);
    }
    return status;
}

enum status instance_make(const struct network_run *run, struct instance **out, struct failure *f)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return fail(f, STATUS_RESOURCE, "no memory for an instance");
    (*out)->run = run;
    return STATUS_OK;
}

enum status instance_images(struct instance *in, struct image_span span, struct source *source,
                            struct resources *resources, struct failure *f)
{
    const struct network_run *run = in->run;
    const int64_t elements = tensor_elements(run->network.input);
    const size_t bytes = (size_t)(span.count * elements) * sizeof(float);
    resources->facts = IMAGE_FACTS_NONE;
    enum status status = (in->memory ? in->memory->allocate
                                     : guarded_allocate_cold)(&in->own, bytes, "the images", f);
    in->images = in->own.block;
    in->block = &in->own;
    if (status == STATUS_OK && source && span.count > 0)
        status = fill(in->images, run, span, source, &resources->facts, f);
    if (status != STATUS_OK)
        return status;
    guarded_plant(&in->own);
    in->forward.input = in->images + (run->images.here.first - span.first) * elements;
    resources->pages = memory_pages(in->images, bytes);
    return STATUS_OK;
}

enum status instance_forward(struct instance *in, const struct job *job, struct team team,
                             struct resources *resources, struct failure *f)
{
    const struct operation *op = job->operation;
    struct network_run *run = job->subject;
    enum status status = STATUS_OK;
    in->forward.team = in->team = team;
    in->forward.clocked = run->settings.clocked;
    in->forward.traced = run->settings.traced;
    in->forward.plan = (struct plan){.network = &run->network,
                                     .parameters = run->raw.values,
                                     .droppable = run->raw.packed_alone ? run->raw.values : NULL,
                                     .batch = run->images.here.count,
                                     .whole_batch = run->images.batch,
                                     .isa = op->isa,
                                     .forced = conv_choice_named(operation_method(op))};
    resources->isa = isa_name(op->isa);
    if (job->peer) {
        in->forward.plan.droppable = NULL;
        status = peer_run_open(&in->peer, &in->forward, job->peer->network, team.workers,
                               &resources->isa, f);
    } else if (run->images.here.count > 0) {
        status = forward_open(&in->forward, f);
    }
    resources->partition = (struct partition){.workers = team.workers};
    resources->scratch_bytes = (int64_t)forward_scratch_bytes(&in->forward);
    return status;
}

enum status network_open(const struct job *job, struct team team, struct instance **out,
                         struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    const struct network_run *run = job->subject;
    struct instance *in;
    enum status status = instance_make(run, &in, f);
    *out = NULL;
    if (status == STATUS_OK && run->training)
        status = training_open(job, run, team, resources, f);
    else if (status == STATUS_OK)
        status = instance_images(in, run->images.here, job->source, resources, f);
    if (status == STATUS_OK && !run->training)
        status = instance_forward(in, job, team, resources, f);
    if (status != STATUS_OK) {
        network_close(in);
        return status;
    }
    resources->setup_s = clock_now() - start;
    *out = in;
    return STATUS_OK;
}

enum status network_join(struct instance *first, const struct job *job, struct instance **out,
                         struct resources *resources, struct failure *f)
{
    const double start = clock_now();
    struct instance *in;
    enum status status = instance_make(first->run, &in, f);
    *out = NULL;
    if (status == STATUS_OK) {
        in->block = first->block;
        in->forward.input = first->forward.input;
        status = instance_forward(in, job, first->team, resources, f);
    }
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
    peer_run_close(in->peer);
    forward_close(&in->forward);
    (in->memory ? in->memory->release : guarded_release)(&in->own);
    free(in->errors);
    free(in);
}

/* ---- running ----------------------------------------------------------------------------------
 */

void network_poison(struct instance *in)
{
    forward_poison(&in->forward);
    if (in->peer)
        peer_run_poison(in->peer);
}

enum status network_check_guards(struct instance *in, struct failure *f)
{
    const enum status status = forward_check_guards(&in->forward, f);
    return status == STATUS_OK && in->block ? guards_check_floats(in->block, "images", f) : status;
}

enum status network_execute_batch(struct instance *in, int64_t repeats, struct phases *phases,
                                  struct failure *f)
{
    enum status status = STATUS_OK;
    const double start = clock_now();
    double began = start;
    for (int64_t i = 0; i < repeats && status == STATUS_OK; i++) {
        began = in->forward.traced ? clock_now() : start;
        if (in->peer)
            status = peer_run_batch(in->peer, &in->forward, f);
        else
            forward_run(&in->forward);
    }
    const double end = clock_now(), seconds = (end - start) / (double)repeats;
    in->moments = (struct moments){began, began, end, end, false};
    *phases = phases_none();
    phases->distribute_s = phases->collect_s = 0.0;
    phases->compute_s = phases->total_s = seconds;
    return status;
}

enum status network_execute(struct instance *in, struct phases *phases, struct failure *f)
{
    return network_execute_batch(in, 1, phases, f);
}

void network_hold(struct instance *in, void (*body)(void *context), void *context)
{
    team_hold(in->team, body, context);
}

const float *network_map(const struct instance *in, int64_t *first, int64_t *count)
{
    if (in->run->training) { /* a training has no map */
        *first = *count = 0;
        return NULL;
    }
    *count = forward_outputs(&in->forward);
    *first = in->run->images.here.first * tensor_elements(network_output(&in->run->network));
    return in->forward.output;
}
